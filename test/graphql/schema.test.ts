import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { resolvers, schemaText } from '../../packages/http/src/graphql/schema.ts'
import { AwardWire } from '../../packages/http/src/shapes/award-emoji.ts'
import { DiscussionNoteWire, DiscussionWire, PositionWire } from '../../packages/http/src/shapes/discussion.ts'
import { EpicWire } from '../../packages/http/src/shapes/epic.ts'
import { GroupWire } from '../../packages/http/src/shapes/group.ts'
import { IssueWire } from '../../packages/http/src/shapes/issue.ts'
import { JobWire } from '../../packages/http/src/shapes/job.ts'
import { LabelWire } from '../../packages/http/src/shapes/label.ts'
import { MemberWire } from '../../packages/http/src/shapes/member.ts'
import { MergeRequestWire } from '../../packages/http/src/shapes/merge-request.ts'
import { MilestoneWire } from '../../packages/http/src/shapes/milestone.ts'
import { PipelineWire } from '../../packages/http/src/shapes/pipeline.ts'
import { ProjectWire } from '../../packages/http/src/shapes/project.ts'
import { ReleaseWire } from '../../packages/http/src/shapes/release.ts'
import { BranchWire, CommitWire } from '../../packages/http/src/shapes/repository.ts'
import { TodoWire } from '../../packages/http/src/shapes/todo.ts'
import { UserSummaryWire } from '../../packages/http/src/shapes/user.ts'
import { ManagedUserWire } from '../../packages/http/src/shapes/user-detail.ts'
import { toSnakeCase } from '../../packages/http/src/wire-names.ts'
import { world } from '../sqlite-world.ts'
import { createClient } from './client.ts'

/** The objects of the REST API that each type shows. */
const wires: Readonly<Record<string, readonly { readonly fields: object }[]>> = {
  UserCore: [UserSummaryWire],
  CurrentUser: [ManagedUserWire],
  Label: [LabelWire],
  Milestone: [MilestoneWire],
  Note: [DiscussionNoteWire],
  DiffPosition: [PositionWire],
  Discussion: [DiscussionWire],
  AwardEmoji: [AwardWire],
  GroupMember: [MemberWire],
  ProjectMember: [MemberWire],
  Group: [GroupWire],
  Project: [ProjectWire],
  Issue: [IssueWire],
  MergeRequest: [MergeRequestWire],
  WorkItem: [IssueWire, EpicWire],
  WorkItemWidgetAssignees: [IssueWire],
  WorkItemWidgetAwardEmoji: [IssueWire],
  WorkItemWidgetColor: [EpicWire],
  WorkItemWidgetDescription: [IssueWire, EpicWire],
  WorkItemWidgetDevelopment: [IssueWire],
  WorkItemWidgetHierarchy: [IssueWire, EpicWire],
  WorkItemWidgetLabels: [IssueWire, EpicWire],
  WorkItemWidgetLinkedItems: [IssueWire],
  WorkItemWidgetMilestone: [IssueWire],
  WorkItemWidgetTimeTracking: [IssueWire],
  Branch: [BranchWire],
  Commit: [CommitWire],
  Release: [ReleaseWire],
  Pipeline: [PipelineWire],
  CiJob: [JobWire],
  Todo: [TodoWire],
}

test('every field of the schema has a resolver or a field of the REST object', async () => {
  await using forge = await world()
  const { data } = createClient(() => forge)
  const { __schema } = await data('{ __schema { types { name fields { name } } } }')
  const types = __schema.types as { name: string; fields: { name: string }[] | null }[]
  for (const [type, shown] of Object.entries(wires)) {
    const { computed = {}, calls = {} } = resolvers[type] ?? {}
    const names = types.find(({ name }) => name === type)?.fields?.map(({ name }) => name) ?? []
    expect(names.length, type).toBeGreaterThan(1)
    const known = { ...computed, ...calls, type: true }
    for (const { fields } of shown) {
      expect(
        names.filter((name) => !(name in known) && !(toSnakeCase(name) in fields)),
        type,
      ).toEqual([])
    }
  }
})

test('resolvers belong to fields of the schema', async () => {
  await using forge = await world()
  const { data } = createClient(() => forge)
  const { __schema } = await data('{ __schema { types { name fields { name } } } }')
  const fieldsOf = new Map<string, string[]>(
    __schema.types.map(({ name, fields }: { name: string; fields: { name: string }[] | null }) => [
      name,
      (fields ?? []).map((field) => field.name),
    ]),
  )
  for (const [type, { computed = {}, calls = {} }] of Object.entries(resolvers))
    expect(
      Object.keys({ ...computed, ...calls }).filter((name) => !fieldsOf.get(type)?.includes(name)),
      type,
    ).toEqual([])
})

test('introspection contains all types', async () => {
  await using forge = await world()
  const { data } = createClient(() => forge)
  const { __schema } = await data(
    `{ __schema {
      queryType { name } mutationType { name } subscriptionType { name }
      types { name kind description fields(includeDeprecated: true) { name args { name type { name ofType { name } } } } }
    } }`,
  )
  const names: string[] = __schema.types.map(({ name }: { name: string }) => name)
  const declared = [...schemaText.matchAll(/^(?:type|interface|enum|input|scalar) (\w+)/gm)].map(([, name]) => name)
  expect(declared.filter((name) => !names.includes(name as string))).toEqual([])
  expect(__schema.subscriptionType).toBeNull()
})

test('the guide lists all queries and mutations', async () => {
  await using forge = await world()
  const { data } = createClient(() => forge)
  const { __schema } = await data('{ __schema { queryType { fields { name } } mutationType { fields { name } } } }')
  const guide = readFileSync(new URL('../../docs/guide/graphql.md', import.meta.url), 'utf8')
  const fields: { name: string }[] = [...__schema.queryType.fields, ...__schema.mutationType.fields]
  expect(fields.map(({ name }) => name).filter((name) => !new RegExp(`\`${name}[\`(]`).test(guide))).toEqual([])
})
