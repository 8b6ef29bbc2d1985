import { features, type Operation } from '@forgelet/core/operations'
import type { Subjects } from '@forgelet/core/policy'
import { describe, expect, test } from 'vitest'
import type { Project } from '../packages/core/src/contract/project.ts'
import { casesOf, memberRoles, roles, ruleOf } from './reference/matrix.ts'

type Kind = keyof Subjects

const settings = 'settings of a project stay with its maintainers: only its content becomes read-only'
const members = 'who has access to an archived project can still change'
const personal = 'personal data of the caller, not content of the project'
const host = 'work of the host and of administrators, which changes no content'

/** Commands that an archived project accepts, by ability. */
const accepted: Readonly<Record<string, string>> = {
  'project.archive': 'archiving can be undone',
  'project.remove': 'owners can remove archived projects',
  'project.transfer': 'owners can move archived projects',
  'project.fork': 'changes another project',
  'project.setForkSource': settings,
  'project.update': settings,
  'project.measure': host,
  'archive.export': 'reads the project',
  'member.manage': members,
  'member.end': members,
  'accessRequest.manage': members,
  'accessRequest.create': members,
  'accessRequest.end': members,
  'share.manage': members,
  'accessToken.manage': members,
  'accessToken.create': members,
  'accessToken.rotate': members,
  'deployToken.manage': members,
  'deployKey.manage': members,
  'project.star': personal,
  'label.subscribe': personal,
  'subscription.manage': personal,
  'notification.manage': personal,
  'todo.create': personal,
  'approvalRule.manage': settings,
  'protectedBranch.manage': settings,
  'protectedTag.manage': settings,
  'protectedEnvironment.manage': settings,
  'freezePeriod.manage': settings,
  'pushRule.manage': settings,
  'jobTokenScope.manage': settings,
  'badge.manage': settings,
  'errorTracking.manage': settings,
  'errorTracking.update': settings,
  'mirror.manage': settings,
  'hook.manage': settings,
  'ciVariable.manage': settings,
  'runner.manage': settings,
  'repository.maintain': 'housekeeping changes no content',
  'repository.import': host,
  'pipeline.record': 'jobs that were running can end',
}

/** A merge request decides about its own rules: these are content. */
const refusedOn: readonly string[] = ['mergeRequest approvalRule.manage']

const changed = (subject: unknown, fields: Partial<Project>): unknown => {
  const { noteable, project } = subject as { noteable?: unknown; project?: Project | null }
  if (noteable !== undefined) return { ...(subject as object), noteable: changed(noteable, fields) }
  return project ? { ...(subject as object), project: { ...project, ...fields } } : subject
}

const isInProject = (kind: Kind) =>
  JSON.stringify(casesOf(kind).get('')?.('public', 0)).includes('"repositoryAccessLevel"')

/** Every command on a subject in a project, as `kind ability`. */
const commands = [
  ...new Set(
    Object.values(features)
      .flatMap((verbs) => Object.values(verbs) as Operation[])
      .filter(({ mode }) => mode === 'command')
      .flatMap(({ kinds, can }) => kinds.filter(isInProject).map((kind) => `${kind} ${can}`)),
  ),
].sort()

/** The roles that have the ability in some example of the subject with changed fields of the project. */
const rolesWith = (command: string, fields: Partial<Project>) => {
  const [kind, ability] = command.split(' ') as [Kind, string]
  const rule = ruleOf(kind, ability)
  return roles.filter(({ actor, access }) =>
    [...casesOf(kind)].some(([sentence, make]) => {
      const subject = changed(make('public', access), fields)
      return !sentence.includes('personal') && rule.allows(actor, subject)
    }),
  )
}

describe('an archived project', () => {
  const abilityOf = (command: string) => command.split(' ')[1] as string
  const isAccepted = (command: string) => !refusedOn.includes(command) && Object.hasOwn(accepted, abilityOf(command))

  test.each(commands.filter((command) => !isAccepted(command)))('refuses %s to everyone', (command) => {
    expect(rolesWith(command, {}).length).toBeGreaterThan(0)
    expect(rolesWith(command, { archived: true })).toEqual([])
  })

  test.each(commands.filter(isAccepted))('accepts %s from the same roles as before', (command) => {
    expect(rolesWith(command, { archived: true })).toEqual(rolesWith(command, {}))
  })

  test('has no outdated exceptions', () => {
    const present = new Set(commands.map(abilityOf))
    expect(Object.keys(accepted).filter((ability) => !present.has(ability))).toEqual([])
    expect(commands.length).toBeGreaterThan(90)
  })
})

describe('a disabled repository', () => {
  const ofRepository =
    /^(code|commitComment|protectedBranch|protectedTag|pipeline|pipelineSchedule|pipelineTrigger|release|mergeRequest|environment|deployment|dependency)\./
  /** The host and runners record the results of jobs that were running. */
  const exceptions = ['project pipeline.record', 'runningJob pipeline.record', 'project mergeRequest.triage']
  const found = commands.filter((command) => {
    const [kind, ability = ''] = command.split(' ')
    return kind !== 'mergeRequest' && ofRepository.test(ability) && !exceptions.includes(command)
  })

  test.each([...found, 'project approvalRule.manage', 'project repository.create'])(
    'refuses %s to everyone',
    (command) => {
      expect(rolesWith(command, {}).length).toBeGreaterThan(0)
      expect(rolesWith(command, { repositoryAccessLevel: 'disabled' })).toEqual([])
    },
  )

  test('leaves issues and members as they are', () => {
    for (const command of ['project issue.create', 'project member.manage', 'project label.manage'])
      expect(rolesWith(command, { repositoryAccessLevel: 'disabled' })).toEqual(rolesWith(command, {}))
    expect(memberRoles.length).toBe(5)
  })
})
