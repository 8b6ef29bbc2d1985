import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fullSeed, readIds } from '../full-seed.ts'
import { world } from '../world.ts'
import { createClient } from './client.ts'

/**
 * Queries and mutations with the fields that tools send: the MCP server `@zereight/mcp-gitlab` 2.1, Backstage's catalog
 * module for GitLab 0.8, GitLab Duo and the GitLab extension of VS Code. Results are compared with those of the REST API.
 */

let forge: FakeForge
let ids: Readonly<Record<string, string | number>>
beforeEach(async () => {
  forge = await world({ seed: fullSeed, time: '2026-01-01T00:00:00Z' })
  ids = await readIds(forge)
})
afterEach(() => forge.close())

const { data, send, rest } = createClient(() => forge)
const web = 'acme/web'
const restWeb = '/projects/acme%2Fweb'

// biome-ignore lint/suspicious/noExplicitAny: rows of any type
type Row = any

const namesOf = (connection: { nodes: Row[] }, field: string) => connection.nodes.map((node) => node[field])

describe('an MCP server', () => {
  const item = async (iid: string, path = web) => {
    const query = 'query ($path: ID!, $iid: String!) { namespace(fullPath: $path) { workItem(iid: $iid) { id } } }'
    const { namespace } = await data(query, { as: 'alice', variables: { path, iid } })
    return namespace.workItem.id as string
  }

  const typeId = async (path: string, name: string) => {
    const query = 'query ($path: ID!) { namespace(fullPath: $path) { workItemTypes { nodes { id name } } } }'
    const { namespace } = await data(query, { as: 'alice', variables: { path } })
    return namespace.workItemTypes.nodes.find((type: Row) => type.name === name)?.id as string
  }

  test('finds work items, their types, labels and users', async () => {
    const issue = await rest(`${restWeb}/issues/1`, 'alice')
    expect(await item('1')).toBe(`gid://gitlab/WorkItem/${issue.id}`)
    expect(await item(String(ids.epic_iid), 'acme')).toMatch(/^gid:\/\/gitlab\/WorkItem\/1[0-9]{12}$/)
    expect(await typeId(web, 'Issue')).toBe('gid://gitlab/WorkItems::Type/1')
    expect(await typeId('acme', 'Epic')).toBe('gid://gitlab/WorkItems::Type/8')
    const resolve = `query ($path: ID!, $names: [String!]!, $first: String!, $second: String!) {
      project(fullPath: $path) {
        first: labels(title: $first, includeAncestorGroups: true, first: 1) { nodes { id } }
        second: labels(title: $second, includeAncestorGroups: true, first: 1) { nodes { id } }
        missing: labels(title: "missing") { count nodes { id } }
      }
      users(usernames: $names) { nodes { id username } }
    }`
    const variables = { path: web, names: ['bob', 'carol'], first: 'bug', second: 'of-the-group' }
    const { project, users } = await data(resolve, { as: 'alice', variables })
    const labels: Row[] = await rest(`${restWeb}/labels`, 'alice')
    const idOf = (name: string) => `gid://gitlab/ProjectLabel/${labels.find((label) => label.name === name).id}`
    expect(project).toEqual({
      first: { nodes: [{ id: idOf('bug') }] },
      second: { nodes: [{ id: idOf('of-the-group') }] },
      missing: { count: 0, nodes: [] },
    })
    expect(namesOf(users, 'username')).toEqual(['bob', 'carol'])
  })

  const widgets = `widgets {
    __typename
    ... on WorkItemWidgetHierarchy {
      hasChildren hasParent
      parent { id iid title webUrl workItemType { name } namespace { fullPath } }
      children { nodes { id iid title state webUrl workItemType { name } namespace { fullPath } } }
    }
    ... on WorkItemWidgetStatus { status { id name category color iconName position } }
    ... on WorkItemWidgetCustomFields {
      customFieldValues {
        __typename
        customField { id name fieldType }
        ... on WorkItemNumberFieldValue { value }
        ... on WorkItemTextFieldValue { value }
        ... on WorkItemSelectFieldValue { selectedOptions { id value } }
      }
    }
    ... on WorkItemWidgetLabels { labels { nodes { id title color } } }
    ... on WorkItemWidgetAssignees { assignees { nodes { id username name } } }
    ... on WorkItemWidgetWeight { weight rolledUpWeight rolledUpCompletedWeight }
    ... on WorkItemWidgetHealthStatus { healthStatus }
    ... on WorkItemWidgetStartAndDueDate { startDate dueDate }
    ... on WorkItemWidgetMilestone { milestone { id title } }
    ... on WorkItemWidgetLinkedItems {
      blocked blockedByCount blockingCount
      linkedItems { nodes { linkType workItem { id iid title state webUrl workItemType { name } namespace { fullPath } } } }
    }
    ... on WorkItemWidgetTimeTracking { timeEstimate totalTimeSpent }
    ... on WorkItemWidgetDevelopment {
      willAutoCloseByMergeRequest
      relatedBranches { nodes { name } }
      relatedMergeRequests { nodes { iid title webUrl state sourceBranch } }
      closingMergeRequests { nodes { mergeRequest { iid title webUrl state sourceBranch } } }
      featureFlags { nodes { name active } }
    }
    ... on WorkItemWidgetIteration { iteration { id title startDate dueDate webUrl iterationCadence { id title } } }
    ... on WorkItemWidgetProgress { progress }
    ... on WorkItemWidgetColor { color textColor }
  }`

  test('reads a work item with all its widgets', async () => {
    const query = `query ($path: ID!, $iid: String!) {
      namespace(fullPath: $path) {
        workItem(iid: $iid) {
          id iid title state description webUrl confidential author { username } createdAt closedAt
          workItemType { name }
          ${widgets}
        }
      }
    }`
    const { workItem } = (await data(query, { as: 'alice', variables: { path: web, iid: '1' } })).namespace
    const issue = await rest(`${restWeb}/issues/1`, 'alice')
    expect(workItem).toMatchObject({
      iid: '1',
      title: issue.title,
      state: issue.state === 'opened' ? 'OPEN' : 'CLOSED',
      description: issue.description,
      webUrl: issue.web_url,
      confidential: issue.confidential,
      author: { username: issue.author.username },
      createdAt: issue.created_at,
      closedAt: issue.closed_at,
      workItemType: { name: 'Issue' },
    })
    const widget = (name: string) =>
      workItem.widgets.find((candidate: Row) => candidate.__typename === `WorkItemWidget${name}`)
    expect(widget('Labels').labels.nodes.map(({ title }: Row) => title)).toEqual(issue.labels)
    expect(namesOf(widget('Assignees').assignees, 'username')).toEqual(
      issue.assignees.map((user: Row) => user.username),
    )
    expect(widget('StartAndDueDate')).toMatchObject({ startDate: null, dueDate: issue.due_date })
    expect(widget('Milestone').milestone?.title).toBe(issue.milestone?.title)
    expect(widget('TimeTracking')).toMatchObject({ timeEstimate: issue.time_stats.time_estimate })
    const links: Row[] = await rest(`${restWeb}/issues/1/links`, 'alice')
    expect(widget('LinkedItems')).toMatchObject({
      blocked: false,
      blockedByCount: 0,
      linkedItems: {
        nodes: links.map(({ iid, title, link_type: linkType }) => ({
          linkType,
          workItem: { iid: String(iid), title },
        })),
      },
    })
    const related: Row[] = await rest(`${restWeb}/issues/1/related_merge_requests`, 'alice')
    expect(namesOf(widget('Development').relatedMergeRequests, 'title')).toEqual(related.map(({ title }) => title))
    expect(widget('Hierarchy')).toMatchObject({ hasChildren: false, parent: null, children: { nodes: [] } })
    expect(widget('Weight')).toMatchObject({ weight: issue.weight, rolledUpWeight: null })
    for (const absent of ['Status', 'CustomFields', 'HealthStatus', 'Iteration', 'Progress', 'Color'])
      expect(widget(absent), absent).toBeUndefined()
  })

  test('lists work items of projects and groups', async () => {
    const list = (root: string) => `query (
      $path: ID!, $types: [IssueType!], $state: IssuableState, $search: String, $assigneeUsernames: [String!],
      $labelName: [String!], $first: Int, $after: String
    ) {
      ${root}(fullPath: $path) {
        workItems(
          types: $types, state: $state, search: $search, assigneeUsernames: $assigneeUsernames, labelName: $labelName,
          first: $first, after: $after
        ) {
          nodes {
            id iid title state webUrl workItemType { name }
            widgets {
              __typename
              ... on WorkItemWidgetStatus { status { id name category color } }
              ... on WorkItemWidgetLabels { labels { nodes { title } } }
              ... on WorkItemWidgetAssignees { assignees { nodes { username } } }
              ... on WorkItemWidgetWeight { weight }
              ... on WorkItemWidgetHealthStatus { healthStatus }
              ... on WorkItemWidgetStartAndDueDate { startDate dueDate }
              ... on WorkItemWidgetMilestone { milestone { id title } }
            }
          }
          pageInfo { hasNextPage endCursor }
        }
      }
    }`
    const issues: Row[] = await rest(`${restWeb}/issues?state=opened&per_page=20`, 'alice')
    const { project } = await data(list('project'), {
      as: 'alice',
      variables: { path: web, first: 20, state: 'opened' },
    })
    expect(namesOf(project.workItems, 'iid')).toEqual(issues.map(({ iid }) => String(iid)))
    const labelled: Row[] = await rest(`${restWeb}/issues?labels=bug`, 'alice')
    const filtered = await data(list('project'), {
      as: 'alice',
      variables: { path: web, labelName: ['bug'], first: 20 },
    })
    expect(namesOf(filtered.project.workItems, 'iid')).toEqual(labelled.map(({ iid }) => String(iid)))
    const tasks = await data(list('project'), { as: 'alice', variables: { path: web, types: ['TASK'], first: 20 } })
    expect(tasks.project.workItems.nodes).toEqual([])
    const { group } = await data(list('group'), {
      as: 'alice',
      variables: { path: 'acme', types: ['EPIC'], first: 20 },
    })
    const epics: Row[] = await rest('/groups/acme/epics', 'alice')
    expect(namesOf(group.workItems, 'title')).toEqual(epics.map(({ title }) => title))
  })

  test('creates and changes work items', async () => {
    const labels = await data('{ project(fullPath: "acme/web") { labels(title: "bug") { nodes { id } } } }', {
      as: 'alice',
    })
    const create = `mutation (
      $projectPath: ID!, $title: String!, $typeId: WorkItemsTypeID!, $description: String!, $labelIds: [LabelID!]!,
      $assigneeIds: [UserID!]!, $dueDate: Date, $milestoneId: MilestoneID, $confidential: Boolean
    ) {
      workItemCreate(input: {
        namespacePath: $projectPath, title: $title, workItemTypeId: $typeId,
        descriptionWidget: { description: $description }, labelsWidget: { labelIds: $labelIds },
        assigneesWidget: { assigneeIds: $assigneeIds }, startAndDueDateWidget: { dueDate: $dueDate },
        milestoneWidget: { milestoneId: $milestoneId }, confidential: $confidential
      }) {
        workItem { id iid title webUrl workItemType { name } }
        errors
      }
    }`
    const { id: bobId } = await forge.host.users.get({ user: 'bob' })
    const variables = {
      projectPath: web,
      title: 'Made by a tool',
      typeId: await typeId(web, 'Issue'),
      description: 'Text',
      labelIds: namesOf(labels.project.labels, 'id'),
      assigneeIds: [`gid://gitlab/User/${bobId}`],
      dueDate: '2026-02-01',
      milestoneId: `gid://gitlab/Milestone/${ids.milestone_id}`,
      confidential: true,
    }
    const { workItemCreate } = await data(create, { as: 'alice', variables })
    expect(workItemCreate.errors).toEqual([])
    const { id, iid } = workItemCreate.workItem
    expect(await rest(`${restWeb}/issues/${iid}`, 'alice')).toMatchObject({
      title: 'Made by a tool',
      description: 'Text',
      labels: ['bug'],
      assignees: [{ username: 'bob' }],
      due_date: '2026-02-01',
      milestone: { id: ids.milestone_id },
      confidential: true,
    })
    const update = `mutation ($id: WorkItemID!, $title: String, $remove: [LabelID!], $assigneeIds: [UserID!]!, $stateEvent: WorkItemStateEvent) {
      workItemUpdate(input: {
        id: $id, title: $title, labelsWidget: { removeLabelIds: $remove }, assigneesWidget: { assigneeIds: $assigneeIds },
        stateEvent: $stateEvent, hierarchyWidget: { parentId: null }
      }) {
        workItem {
          id iid title state webUrl workItemType { name }
          widgets {
            __typename
            ... on WorkItemWidgetStatus { status { id name category color } }
            ... on WorkItemWidgetLabels { labels { nodes { title } } }
            ... on WorkItemWidgetAssignees { assignees { nodes { username } } }
            ... on WorkItemWidgetWeight { weight }
            ... on WorkItemWidgetHierarchy { parent { id title workItemType { name } } }
            ... on WorkItemWidgetHealthStatus { healthStatus }
            ... on WorkItemWidgetStartAndDueDate { startDate dueDate }
            ... on WorkItemWidgetMilestone { milestone { id title } }
          }
        }
        errors
      }
    }`
    const changes = { id, title: 'Done', remove: variables.labelIds, assigneeIds: [], stateEvent: 'CLOSE' }
    const { workItemUpdate } = await data(update, { as: 'alice', variables: changes })
    expect(workItemUpdate).toMatchObject({ workItem: { title: 'Done', state: 'CLOSED' }, errors: [] })
    expect(await rest(`${restWeb}/issues/${iid}`, 'alice')).toMatchObject({
      state: 'closed',
      labels: [],
      assignees: [],
    })
    const parent = `mutation ($id: WorkItemID!) {
      workItemUpdate(input: { id: $id, hierarchyWidget: { parentId: null } }) { workItem { id } errors }
    }`
    expect((await data(parent, { as: 'alice', variables: { id } })).workItemUpdate).toEqual({
      workItem: { id },
      errors: [],
    })
    const setWeight = `mutation ($id: WorkItemID!, $weight: Int) {
      workItemUpdate(input: { id: $id, weightWidget: { weight: $weight } }) { workItem { id } errors }
    }`
    const updated = { workItem: { id }, errors: [] }
    for (const weight of [3, null]) {
      expect((await data(setWeight, { as: 'alice', variables: { id, weight } })).workItemUpdate).toEqual(updated)
      expect(await rest(`${restWeb}/issues/${iid}`, 'alice')).toMatchObject({ weight })
    }
    const setStatus = `mutation ($id: WorkItemID!, $status: WorkItemsStatusesStatusID) {
      workItemUpdate(input: { id: $id, statusWidget: { status: $status } }) { workItem { id } errors }
    }`
    const status = 'gid://gitlab/WorkItems::Statuses::Custom::Status/1'
    expect((await data(setStatus, { as: 'alice', variables: { id, status } })).workItemUpdate).toEqual({
      workItem: null,
      errors: ['Following widget keys are not supported by Issue type: [:status_widget]'],
    })
    const convert = `mutation ($id: WorkItemID!, $typeId: WorkItemsTypeID!) {
      workItemConvert(input: { id: $id, workItemTypeId: $typeId }) { workItem { id workItemType { name } } errors }
    }`
    const toTask = { id, typeId: 'gid://gitlab/WorkItems::Type/5' }
    expect((await data(convert, { as: 'alice', variables: toTask })).workItemConvert).toEqual({
      workItem: null,
      errors: ['Work items cannot be converted to other types'],
    })
    const same = { id, typeId: variables.typeId }
    expect((await data(convert, { as: 'alice', variables: same })).workItemConvert).toEqual({
      workItem: { id, workItemType: { name: 'Issue' } },
      errors: [],
    })
    const move = `mutation ($projectPath: ID!, $iid: String!, $targetProjectPath: ID!) {
      issueMove(input: { projectPath: $projectPath, iid: $iid, targetProjectPath: $targetProjectPath }) {
        issue { id iid webUrl } errors
      }
    }`
    const moved = await data(move, {
      as: 'alice',
      variables: { projectPath: web, iid, targetProjectPath: 'acme/tools/deploy' },
    })
    expect(moved.issueMove).toMatchObject({
      issue: { webUrl: expect.stringContaining('/acme/tools/deploy/-/issues/') },
      errors: [],
    })
  })

  test('links work items', async () => {
    const [first, third] = [await item('1'), await item('3')]
    const add = `mutation ($id: WorkItemID!, $others: [WorkItemID!]!, $linkType: WorkItemRelatedLinkType!) {
      workItemAddLinkedItems(input: { id: $id, workItemsIds: $others, linkType: $linkType }) { errors }
    }`
    const variables = { id: first, others: [third], linkType: 'BLOCKED_BY' }
    expect(await data(add, { as: 'alice', variables })).toEqual({ workItemAddLinkedItems: { errors: [] } })
    const links = async (): Promise<Row[]> => rest(`${restWeb}/issues/1/links`, 'alice')
    expect(await links()).toContainEqual(expect.objectContaining({ iid: 3, link_type: 'is_blocked_by' }))
    const remove = `mutation ($id: WorkItemID!, $others: [WorkItemID!]!) {
      workItemRemoveLinkedItems(input: { id: $id, workItemsIds: $others }) { errors }
    }`
    expect(await data(remove, { as: 'alice', variables: { id: first, others: [third] } })).toEqual({
      workItemRemoveLinkedItems: { errors: [] },
    })
    expect(await links()).not.toContainEqual(expect.objectContaining({ iid: 3 }))
    expect(
      (await data(remove, { as: 'alice', variables: { id: first, others: [third] } })).workItemRemoveLinkedItems,
    ).toEqual({
      errors: ['The work items are not linked'],
    })
  })

  test('reads and writes notes and emoji', async () => {
    const id = await item('1')
    const create = `mutation ($noteableId: NoteableID!, $body: String!, $internal: Boolean, $discussionId: DiscussionID) {
      createNote(input: { noteableId: $noteableId, body: $body, internal: $internal, discussionId: $discussionId }) {
        note { id body discussion { id } }
        errors
      }
    }`
    const { createNote } = await data(create, { as: 'alice', variables: { noteableId: id, body: 'First' } })
    expect(createNote).toMatchObject({ note: { body: 'First' }, errors: [] })
    const discussionId = createNote.note.discussion.id
    const reply = await data(create, { as: 'bob', variables: { noteableId: id, body: 'Reply', discussionId } })
    expect(reply.createNote).toMatchObject({ note: { body: 'Reply', discussion: { id: discussionId } }, errors: [] })
    const list = `query ($path: ID!, $iid: String!, $pageSize: Int, $after: String, $sort: WorkItemDiscussionsSort) {
      namespace(fullPath: $path) {
        workItem(iid: $iid) {
          id
          widgets(onlyTypes: [NOTES]) {
            ... on WorkItemWidgetNotes {
              discussionLocked
              discussions(first: $pageSize, after: $after, filter: ALL_NOTES, sort: $sort) {
                pageInfo { hasNextPage endCursor }
                nodes {
                  id resolved resolvable
                  notes { nodes { id body system internal createdAt lastEditedAt author { username } } }
                }
              }
            }
          }
        }
      }
    }`
    const variables = { path: web, iid: '1', pageSize: 20, after: null, sort: 'CREATED_ASC' }
    const read = async (sort: string) =>
      (await data(list, { as: 'alice', variables: { ...variables, sort } })).namespace.workItem.widgets[0].discussions
        .nodes
    const discussions: Row[] = await rest(`${restWeb}/issues/1/discussions?per_page=20`, 'alice')
    const oldestFirst: Row[] = await read('CREATED_ASC')
    expect(oldestFirst.map(({ notes }) => notes.nodes.map(({ body }: Row) => body))).toEqual(
      discussions.map(({ notes }) => notes.map(({ body }: Row) => body)),
    )
    expect(oldestFirst.at(-1).id).toBe(discussionId)
    expect(await read('CREATED_DESC')).toEqual([...oldestFirst].reverse())
    const note = createNote.note.id
    const add = `mutation ($awardableId: AwardableID!, $name: String!) {
      awardEmojiAdd(input: { awardableId: $awardableId, name: $name }) { awardEmoji { name user { username } } errors }
    }`
    const awardable =
      'query ($id: AwardableID!) { awardable(id: $id) { awardEmoji { nodes { name user { username } } } } }'
    const remove = `mutation ($awardableId: AwardableID!, $name: String!) {
      awardEmojiRemove(input: { awardableId: $awardableId, name: $name }) { awardEmoji { name } errors }
    }`
    const issue = id.replace('WorkItem', 'Issue')
    for (const awardableId of [id, issue, note]) {
      const given = { name: 'heart', user: { username: 'bob' } }
      const added = await data(add, { as: 'bob', variables: { awardableId, name: 'heart' } })
      expect(added).toEqual({ awardEmojiAdd: { awardEmoji: given, errors: [] } })
      const { awardable: target } = await data(awardable, { as: 'alice', variables: { id: awardableId } })
      expect(target.awardEmoji.nodes).toContainEqual(given)
      const removed = await data(remove, { as: 'bob', variables: { awardableId, name: 'heart' } })
      expect(removed).toEqual({ awardEmojiRemove: { awardEmoji: { name: 'heart' }, errors: [] } })
    }
  })

  test('reads statuses and custom fields of types, of which there are none', async () => {
    const query = `query ($path: ID!, $typeName: IssueType) {
      namespace(fullPath: $path) {
        workItemTypes(name: $typeName) {
          nodes {
            id name
            supportedConversionTypes { id name }
            widgetDefinitions {
              __typename
              ... on WorkItemWidgetDefinitionStatus { allowedStatuses { id name iconName color position } }
              ... on WorkItemWidgetDefinitionHierarchy {
                allowedChildTypes { nodes { id name } } allowedParentTypes { nodes { id name } }
              }
              ... on WorkItemWidgetDefinitionCustomFields {
                customFieldValues { customField { id name fieldType selectOptions { id value } workItemTypes { id name } } }
              }
            }
          }
        }
      }
    }`
    const { namespace } = await data(query, { as: 'alice', variables: { path: web, typeName: 'ISSUE' } })
    expect(namesOf(namespace.workItemTypes, 'name')).toEqual(['Issue'])
    expect(namespace.workItemTypes.nodes[0]).toMatchObject({
      supportedConversionTypes: [],
      widgetDefinitions: expect.arrayContaining([
        {
          __typename: 'WorkItemWidgetDefinitionHierarchy',
          allowedChildTypes: { nodes: [] },
          allowedParentTypes: { nodes: [] },
        },
      ]),
    })
  })
})

describe('an assistant', () => {
  test('lists and creates work items, with filters that it does not set', async () => {
    const list = (root: string) => `query (
      $fullPath: ID!, $state: IssuableState, $search: String, $authorUsername: String, $createdAfter: Time,
      $updatedBefore: Time, $dueAfter: Time, $dueBefore: Time, $sort: WorkItemSort, $first: Int, $types: [IssueType!]
    ) {
      ${root}(fullPath: $fullPath) {
        workItems(
          state: $state, search: $search, authorUsername: $authorUsername, createdAfter: $createdAfter,
          updatedBefore: $updatedBefore, dueAfter: $dueAfter, dueBefore: $dueBefore, sort: $sort, first: $first, types: $types
        ) {
          pageInfo { hasNextPage endCursor }
          nodes {
            id iid title state imported archived createdAt updatedAt author { username name }
            namespace { id fullPath } project { id fullPath }
          }
        }
      }
    }`
    const variables = { fullPath: web, first: 3, sort: 'CREATED_ASC', createdAfter: '2020-01-01T00:00:00Z' }
    const { project } = await data(list('project'), { as: 'alice', variables })
    const issues: Row[] = await rest(`${restWeb}/issues?per_page=3&sort=asc`, 'alice')
    expect(namesOf(project.workItems, 'title')).toEqual(issues.map(({ title }) => title))
    expect(project.workItems.nodes[0]).toMatchObject({ imported: false, archived: false, project: { fullPath: web } })
    const { namespace } = await data(list('namespace'), { as: 'alice', variables: { fullPath: 'acme', first: 3 } })
    expect(namespace.workItems.nodes[0]).toMatchObject({ project: null, namespace: { fullPath: 'acme' } })
    const due = { ...variables, dueAfter: '2026-01-01T00:00:00Z' }
    expect((await send(list('project'), { as: 'alice', variables: due })).errors[0].message).toBe(
      'Lists of work items have no filters by the due date',
    )
  })
})

describe('a developer portal', () => {
  test('reads all subgroups and members of a group', async () => {
    const page = async (query: string, relations?: readonly string[]): Promise<Row[]> => {
      const nodes: Row[] = []
      for (let endCursor: string | null = null; ; ) {
        const { group } = await data(query, { as: 'alice', variables: { group: 'acme', relations, endCursor } })
        const [connection] = Object.values(group) as Row[]
        nodes.push(...connection.nodes)
        if (!connection.pageInfo.hasNextPage) return nodes
        endCursor = connection.pageInfo.endCursor
      }
    }
    const groups = await page(`query listDescendantGroups($group: ID!, $endCursor: String) {
      group(fullPath: $group) {
        descendantGroups(first: 100, after: $endCursor) {
          nodes { id name description fullPath visibility parent { id } }
          pageInfo { endCursor hasNextPage }
        }
      }
    }`)
    const descendants: Row[] = await rest('/groups/acme/descendant_groups', 'alice')
    expect(groups).toEqual(
      descendants.map(({ id, name, description, full_path, visibility, parent_id }) => ({
        id: `gid://gitlab/Group/${id}`,
        name,
        description,
        fullPath: full_path,
        visibility,
        parent: { id: `gid://gitlab/Group/${parent_id}` },
      })),
    )
    const members = await page(
      `query getGroupMembers($group: ID!, $relations: [GroupMemberRelation!], $endCursor: String) {
        group(fullPath: $group) {
          groupMembers(first: 100, relations: $relations, after: $endCursor) {
            nodes { user { id username publicEmail name state webUrl avatarUrl } }
            pageInfo { endCursor hasNextPage }
          }
        }
      }`,
      ['DIRECT'],
    )
    const direct: Row[] = await rest('/groups/acme/members', 'alice')
    expect(members.map(({ user }) => user.username)).toEqual(direct.map(({ username }) => username))
  })
})

describe('an editor extension', () => {
  test('reads discussions of a merge request, and adds and resolves comments on its diff', async () => {
    const { project } = await data(
      `query ($path: ID!) {
        project(fullPath: $path) {
          mergeRequest(iid: "1") { id sourceBranch targetBranch diffRefs { baseSha headSha startSha } diffStats { path } }
        }
      }`,
      { as: 'alice', variables: { path: web } },
    )
    const { mergeRequest } = project
    const details = await rest(`${restWeb}/merge_requests/1`, 'alice')
    expect(mergeRequest.diffRefs).toEqual({
      baseSha: details.diff_refs.base_sha,
      headSha: details.diff_refs.head_sha,
      startSha: details.diff_refs.start_sha,
    })
    const path = mergeRequest.diffStats[0].path
    const create = `mutation ($id: NoteableID!, $body: String!, $position: DiffPositionInput!) {
      createDiffNote(input: { noteableId: $id, body: $body, position: $position }) {
        errors
        note {
          id body system author { avatarUrl name username webUrl }
          position { diffRefs { baseSha headSha startSha } filePath positionType newLine oldLine newPath oldPath }
          discussion { id replyId createdAt resolved resolvable }
        }
      }
    }`
    const position = { ...mergeRequest.diffRefs, paths: { newPath: path }, newLine: 1 }
    const variables = { id: mergeRequest.id, body: 'Why?', position }
    const { createDiffNote } = await data(create, { as: 'bob', variables })
    expect(createDiffNote).toMatchObject({
      errors: [],
      note: {
        body: 'Why?',
        position: { filePath: path, positionType: 'text', newLine: 1, oldLine: null },
        discussion: { resolved: false, resolvable: true },
      },
    })
    const { discussion } = createDiffNote.note
    expect(discussion.replyId).toBe(discussion.id)
    const toggle = `mutation ($id: DiscussionID!, $resolve: Boolean!) {
      discussionToggleResolve(input: { id: $id, resolve: $resolve }) {
        errors discussion { id resolved resolvedBy { username } }
      }
    }`
    for (const resolve of [true, false]) {
      const { discussionToggleResolve } = await data(toggle, { as: 'bob', variables: { id: discussion.id, resolve } })
      expect(discussionToggleResolve).toEqual({
        errors: [],
        discussion: { id: discussion.id, resolved: resolve, resolvedBy: resolve ? { username: 'bob' } : null },
      })
    }
    const read = `query ($path: ID!, $after: String) {
      project(fullPath: $path) {
        mergeRequest(iid: "1") {
          discussions(after: $after) {
            pageInfo { hasNextPage endCursor }
            nodes { replyId createdAt resolved resolvable notes { pageInfo { hasNextPage } nodes { id body system position { newLine } } } }
          }
        }
      }
    }`
    const { discussions } = (await data(read, { as: 'alice', variables: { path: web } })).project.mergeRequest
    const expected: Row[] = await rest(`${restWeb}/merge_requests/1/discussions`, 'alice')
    expect(discussions.nodes.map(({ notes }: Row) => notes.nodes.map(({ body }: Row) => body))).toEqual(
      expected.map(({ notes }) => notes.map(({ body }: Row) => body)),
    )
  })
})
