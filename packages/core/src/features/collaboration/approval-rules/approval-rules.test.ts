import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const ref = { project, mergeRequest: 1 }
const rules = (username = 'alice') => forge.as(username).approvalRules
const approve = (username: string) => forge.as(username).mergeRequestApprovals.approve(ref)
const approvals = () => forge.as('alice').mergeRequestApprovals.get(ref)
const findId = async (user: string) => (await forge.host.users.get({ user })).id
const readMergeStatus = async () => (await forge.host.mergeRequests.get(ref)).detailedMergeStatus

test('a merge requires the approvals of the users and groups of the rules', async () => {
  const { id: groupId } = await forge.host.groups.create({ path: 'reviewers', name: 'Reviewers', visibility: 'public' })
  await forge.host.members.add({ group: 'reviewers', users: ['bob'], accessLevel: 30 })
  await rules().create({ project, name: 'Owners', approvalsRequired: 1, usernames: ['Alice'] })
  const rule = await rules().create({ project, name: 'Review', approvalsRequired: 1, groupIds: [groupId] })
  expect(rule).toMatchObject({ ruleType: 'regular', users: [], eligibleApprovers: [{ username: 'bob' }] })
  expect(await readMergeStatus()).toBe('not_approved')
  await expect(forge.as('alice').mergeRequests.merge(ref)).rejects.toMatchObject({ code: 'conflict' })
  expect(await approve('alice')).toMatchObject({
    approved: false,
    approvalsRequired: 2,
    approvalsLeft: 1,
    approvalRulesLeft: [{ id: rule.id, name: 'Review' }],
  })
  const state = await forge.as('alice').mergeRequestApprovals.getState(ref)
  expect(state).toMatchObject({
    approvalRulesOverwritten: false,
    rules: [
      { name: 'Owners', approved: true, approvedBy: [{ username: 'alice' }] },
      { name: 'Review', approved: false, approvedBy: [] },
    ],
  })
  expect(await approve('bob')).toMatchObject({ approved: true, approvalsLeft: 0, approvalRulesLeft: [] })
  expect(await readMergeStatus()).not.toBe('not_approved')
})

test('rules for protected branches do not apply to other branches', async () => {
  const { id } = await forge.host.protectedBranches.create({ project, name: 'stable*' })
  const rule = await rules().create({
    project,
    name: 'Stable',
    approvalsRequired: 2,
    ruleType: 'any_approver',
    protectedBranchIds: [id],
  })
  expect(rule).toMatchObject({ protectedBranches: [{ name: 'stable*' }], appliesToAllProtectedBranches: false })
  expect(await approvals()).toMatchObject({ approvalsRequired: 0 })
  await forge.host.mergeRequests.update({ ...ref, targetBranch: 'stable-1' })
  expect(await approvals()).toMatchObject({ approvalsRequired: 2 })
  await rules().update({ project, rule: rule.id, protectedBranchIds: [], appliesToAllProtectedBranches: true })
  expect(await approvals()).toMatchObject({ approvalsRequired: 2 })
  await forge.host.mergeRequests.update({ ...ref, targetBranch: 'other' })
  expect(await approvals()).toMatchObject({ approvalsRequired: 0 })
})

test('merge requests can require more approvals, but not fewer', async () => {
  const own = forge.as('bob').approvalRules
  const rule = await rules().create({ project, name: 'Owners', approvalsRequired: 1, userIds: [await findId('alice')] })
  const replacement = { ...ref, name: 'x', approvalProjectRuleId: rule.id }
  await expect(own.create({ ...replacement, approvalsRequired: 0 })).rejects.toMatchObject({ code: 'invalid' })
  const stricter = await own.create({ ...replacement, approvalsRequired: 2 })
  expect(stricter).toMatchObject({
    name: 'Owners',
    users: [{ username: 'alice' }],
    sourceRule: { id: rule.id, approvalsRequired: 1 },
    overridden: true,
  })
  // The users and groups are those of the project.
  const bob = await findId('bob')
  await own.update({ ...ref, rule: stricter.id, userIds: [bob], approvalsRequired: 3 })
  expect(await own.get({ ...ref, rule: stricter.id })).toMatchObject({ users: [{ username: 'alice' }] })
  await own.create({ ...ref, name: 'Tests', approvalsRequired: 1, userIds: [bob] })
  expect(await approvals()).toMatchObject({ approvalsRequired: 4 })
  expect(await forge.as('bob').mergeRequestApprovals.update({ ...ref, approvalsRequired: 2 })).toMatchObject({
    approvalsRequired: 6,
  })
  expect(await forge.as('bob').mergeRequestApprovals.update({ ...ref, approvalsRequired: 1 })).toMatchObject({
    approvalsRequired: 5,
  })
  await rules().update({ project, rule: rule.id, approvalsRequired: 5 })
  expect(await approvals()).toMatchObject({ approvalsRequired: 7 })
  await rules().remove({ project, rule: rule.id })
  expect((await own.list(ref)).items).toMatchObject([{ name: 'Tests' }, { name: 'All Members' }])
  await rules().updateConfiguration({ project, disableOverridingApproversPerMergeRequest: true })
  const denied = own.create({ ...ref, name: 'More', approvalsRequired: 1 })
  await expect(denied).rejects.toMatchObject({ code: 'forbidden' })
})

test('fields for rules of projects and of merge requests are not mixed', async () => {
  const rule = { name: 'Rule', approvalsRequired: 1 }
  for (const field of [{ ruleType: 'regular' }, { protectedBranchIds: [1] }, { appliesToAllProtectedBranches: true }])
    await expect(rules().create({ ...ref, ...rule, ...(field as object) })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('mergeRequest'),
    })
  await expect(rules().create({ project, ...rule, approvalProjectRuleId: 1 })).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'approvalProjectRuleId requires mergeRequest',
  })
  const ofProject = await rules().create({ project, ...rule })
  expect(ofProject).toMatchObject({ protectedBranches: [], appliesToAllProtectedBranches: false })
  expect(ofProject).not.toHaveProperty('sourceRule')
  const ofRequest = await rules().create({ ...ref, ...rule })
  expect(ofRequest).toMatchObject({ sourceRule: null, overridden: false })
  expect(ofRequest).not.toHaveProperty('protectedBranches')
  await expect(rules().get({ project, rule: ofRequest.id })).rejects.toMatchObject({ code: 'not_found' })
  await expect(rules().get({ ...ref, rule: ofProject.id })).rejects.toMatchObject({ code: 'not_found' })
})

test('the setting of the project counts as a rule for any approvers', async () => {
  await rules().updateConfiguration({ project, approvalsBeforeMerge: 2 })
  expect(await approve('bob')).toMatchObject({ approvalsRequired: 2, approvalsLeft: 1, hasApprovalRules: false })
  await rules().create({ project, name: 'All', approvalsRequired: 1 })
  expect(await approvals()).toMatchObject({ approvalsRequired: 2, approvalsLeft: 1 })
  await expect(forge.as('bob').mergeRequestApprovals.update({ ...ref, approvalsRequired: 1 })).rejects.toMatchObject({
    code: 'invalid',
  })
  await expect(rules().create({ project, name: 'All 2', approvalsRequired: 1 })).rejects.toMatchObject({
    code: 'invalid',
  })
})

test('rejects unknown users, groups and branches, and rules without approvers', async () => {
  const rule = { project, name: 'Rule', approvalsRequired: 1 }
  for (const input of [
    { usernames: ['nobody'] },
    { userIds: [await findId('mallory')] },
    { groupIds: [999_999] },
    { protectedBranchIds: [999_999] },
    { ruleType: 'regular' as const },
    { ruleType: 'any_approver' as const, usernames: ['bob'] },
    { name: ' ' },
  ]) {
    await expect(rules().create({ ...rule, ...input })).rejects.toMatchObject({ code: 'invalid' })
  }
  expect((await rules().list({ project })).items).toEqual([])
  const { id } = await rules().create({ ...rule, usernames: ['bob'] })
  await expect(rules().create({ ...rule, usernames: ['bob'] })).rejects.toMatchObject({ code: 'invalid' })
  await expect(rules().update({ project, rule: id, userIds: [] })).rejects.toMatchObject({ code: 'invalid' })
  expect(await rules().get({ project, rule: id })).toMatchObject({ users: [{ username: 'bob' }] })
  await expect(rules('bob').update({ project, rule: id, name: 'x' })).rejects.toMatchObject({ code: 'forbidden' })
})

test('hidden groups stay until they are removed on purpose', async () => {
  const { id: groupId } = await forge.host.groups.create({ path: 'secret', name: 'Secret', visibility: 'private' })
  await forge.host.members.add({ group: 'secret', users: ['carol'], accessLevel: 30 })
  const { id } = await forge.host.approvalRules.create({
    project,
    name: 'Secret',
    approvalsRequired: 1,
    groupIds: [groupId],
  })
  const hidden = { groups: [], eligibleApprovers: [{ username: 'bob' }], containsHiddenGroups: true }
  expect(await rules().update({ project, rule: id, usernames: ['bob'], groupIds: [] })).toMatchObject(hidden)
  expect(await rules().update({ project, rule: id, removeHiddenGroups: true })).toMatchObject({
    ...hidden,
    containsHiddenGroups: false,
  })
})

test('authors cannot approve if the project does not permit it', async () => {
  const { author } = await forge.host.mergeRequests.get(ref)
  await rules().updateConfiguration({ project, mergeRequestsAuthorApproval: false })
  expect(await forge.as(author.username).mergeRequestApprovals.get(ref)).toMatchObject({ userCanApprove: false })
  await expect(approve(author.username)).rejects.toMatchObject({ code: 'forbidden' })
})

test('a push to the source branch removes the approvals if the project says so', async () => {
  const { sourceBranch } = await forge.host.mergeRequests.get(ref)
  const push = () => forge.host.events.create({ project, author: 'bob', ref: sourceBranch, after: 'a'.repeat(40) })
  await approve('alice')
  await push()
  expect(await approvals()).toMatchObject({ approved: true })
  await rules().updateConfiguration({ project, resetApprovalsOnPush: true })
  await push()
  expect(await approvals()).toMatchObject({ approved: false })
})

test('bots of access tokens reset approvals', async () => {
  await approve('alice')
  await expect(forge.as('alice').mergeRequestApprovals.reset(ref)).rejects.toMatchObject({ code: 'forbidden' })
  const { secret } = await forge.host.accessTokens.create({
    project,
    name: 'bot',
    scopes: ['api'],
    accessLevel: 30,
    expiresAt: '2027-01-01',
  } as never)
  await forge.platform.as({ token: secret }).mergeRequestApprovals.reset(ref)
  expect(await approvals()).toMatchObject({ approvedBy: [] })
})
