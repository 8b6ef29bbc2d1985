import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const web = '/projects/acme%2Fweb/issues_statistics'
const acme = '/groups/acme/issues_statistics'
const everywhere = '/issues_statistics'

const counts = (opened: number, closed: number) => ({
  statistics: { counts: { all: opened + closed, closed, opened } },
})

/** The body of a count that must succeed. */
const counted = async (line: string, as = 'alice') => {
  const { status, body } = await send(`GET ${line}`, { as })
  expect(status, `${line} ${JSON.stringify(body)}`).toBe(200)
  return body
}

test('answers the three counts and nothing else', async () => {
  const { status, text } = await send(`GET ${web}`, { as: 'alice' })
  expect(status).toBe(200)
  expect(text).toBe('{"statistics":{"counts":{"all":4,"closed":1,"opened":3}}}')
})

describe('who and where', () => {
  test('nobody is signed in: 401 on all three, on public places too', async () => {
    for (const line of [everywhere, `${everywhere}?scope=all`, acme, web, '/projects/999/issues_statistics']) {
      const { status, body } = await send(`GET ${line}`)
      expect(status, line).toBe(401)
      expect(body).toEqual({ message: '401 Unauthorized' })
    }
  })

  test('what is invisible is missing', async () => {
    for (const project of ['acme%2Ftools%2Fdeploy', '999999', 'no%2Fwhere']) {
      const { status, body } = await send(`GET /projects/${project}/issues_statistics`, { as: 'mallory' })
      expect(status).toBe(404)
      expect(body).toEqual({ message: '404 Project Not Found' })
    }
    for (const group of ['acme%2Ftools', '999999']) {
      const { status, body } = await send(`GET /groups/${group}/issues_statistics`, { as: 'mallory' })
      expect(status).toBe(404)
      expect(body).toEqual({ message: '404 Group Not Found' })
    }
  })

  test('by number as well as by path', async () => {
    const { id, namespaceId } = await forge.host.projects.get({ project: 'acme/web' })
    expect(await counted(`/projects/${id}/issues_statistics`)).toEqual(counts(3, 1))
    expect(await counted(`/groups/${namespaceId}/issues_statistics`)).toEqual(counts(3, 1))
  })

  test('a group counts the groups below it, as far as the caller sees them', async () => {
    await forge.host.issues.create({ project: 'acme/tools/deploy', title: 'Roll back', author: 'alice' })
    expect(await counted(acme)).toEqual(counts(4, 1))
    expect(await counted(acme, 'mallory')).toEqual(counts(2, 1))
  })

  test('confidential issues are for reporters, authors and assignees', async () => {
    expect(await counted(web, 'mallory')).toEqual(counts(2, 1))
    expect(await counted(web, 'dave')).toEqual(counts(2, 1))
    expect(await counted(web, 'carol')).toEqual(counts(3, 1))
    expect(await counted(web, 'root')).toEqual(counts(3, 1))
    expect(await counted(`${web}?confidential=true`)).toEqual(counts(1, 0))
    expect(await counted(`${web}?confidential=true`, 'dave')).toEqual(counts(0, 0))
    expect(await counted(`${web}?confidential=false`)).toEqual(counts(2, 1))
  })

  test('a project whose issues are switched off counts none', async () => {
    await forge.host.projects.update({ project: 'acme/web', issuesAccessLevel: 'disabled' })
    expect(await counted(web, 'root')).toEqual(counts(0, 0))
    expect(await counted(acme, 'root')).toEqual(counts(0, 0))
  })
})

describe('filters', () => {
  test.each([
    ['state=closed', 3, 1],
    ['state=opened', 3, 1],
    ['unheard_of=1', 3, 1],
    ['labels=bug', 2, 0],
    ['labels=bug,urgent', 1, 0],
    ['labels[]=bug&labels[]=urgent', 1, 0],
    ['labels=Bug', 0, 0],
    ['labels=unheard', 0, 0],
    ['labels=bug,unheard', 0, 0],
    ['labels=', 3, 1],
    ['labels=None', 0, 1],
    ['labels=none', 0, 1],
    ['labels=Any', 3, 0],
    ['labels=aNY', 3, 0],
    ['milestone=1.0', 1, 0],
    ['milestone=2.0', 0, 0],
    ['milestone=None', 2, 1],
    ['milestone=any', 1, 0],
    ['author_username=DAVE', 1, 1],
    ['author_username=nobody', 0, 0],
    ['author_id=999999', 0, 0],
    ['assignee_username=bob', 1, 0],
    ['assignee_username[]=bob', 1, 0],
    ['assignee_username=bob,alice', 0, 0],
    ['assignee_username=nobody', 0, 0],
    ['assignee_id=None', 2, 1],
    ['assignee_id=0', 2, 1],
    ['assignee_id=any', 1, 0],
    ['assignee_id=999999', 0, 0],
    ['my_reaction_emoji=thumbsup', 1, 0],
    ['my_reaction_emoji=tada', 0, 0],
    ['my_reaction_emoji=None', 2, 1],
    ['my_reaction_emoji=Any', 1, 0],
    ['iids[]=1&iids[]=4', 1, 1],
    ['iids=1&iids=4', 1, 1],
    ['iids=2', 1, 0],
    ['iids[]=77', 0, 0],
    ['search=PAGE', 1, 0],
    ['search=slow%20page', 1, 0],
    ['search=%22slow%20page%22', 0, 0],
    ['search=%22home%20page%22%20seconds', 1, 0],
    ['search=seconds&in=title', 0, 0],
    ['search=seconds&in=description', 1, 0],
    ['search=page%20seconds&in=title,description', 1, 0],
    ['search=is', 0, 0],
    ['search=is%20page', 1, 0],
    ['search=%25%25%25', 0, 0],
    ['search=', 3, 1],
    ['created_after=2000-01-01', 3, 1],
    ['created_before=2000-01-01T00:00:00Z', 0, 0],
    ['updated_after=2900-01-01', 0, 0],
    ['updated_before=2900-01-01', 3, 1],
    ['confidential=yes', 1, 0],
    ['scope=all', 3, 1],
    ['scope=created_by_me', 0, 0],
    ['scope=assigned-to-me', 0, 0],
    ['not[labels]=bug', 1, 1],
    ['not[milestone]=1.0', 2, 1],
    ['not[author_username]=dave', 2, 0],
    ['not[assignee_username][]=bob', 2, 1],
    ['not[iids][]=1', 2, 1],
    ['labels=bug&assignee_username=bob&milestone=1.0&search=slow&author_username=dave', 1, 0],
  ])('%s', async (query, opened, closed) => {
    expect(await counted(`${web}?${query}`)).toEqual(counts(opened, closed))
    expect(await counted(`${acme}?${query}`)).toEqual(counts(opened, closed))
    const global = query.startsWith('scope') ? query : `scope=all&${query}`
    expect(await counted(`${everywhere}?${global}`)).toEqual(counts(opened, closed))
  })

  test('bounds are inclusive on both ends', async () => {
    const { createdAt } = await forge.host.issues.get({ project: 'acme/web', issue: 1 })
    const after = await counted(`${web}?iids=1&created_after=${createdAt}&created_before=${createdAt}`)
    expect(after).toEqual(counts(1, 0))
    const offset = createdAt.replace('Z', '%2B00:00')
    expect(await counted(`${web}?iids=1&created_after=${offset}`)).toEqual(counts(1, 0))
  })

  test('across everything only what the caller has written counts, with every other condition on top', async () => {
    const { id } = await forge.host.users.get({ user: 'dave' })
    expect(await counted(everywhere, 'dave')).toEqual(counts(1, 1))
    expect(await counted(everywhere, 'alice')).toEqual(counts(0, 0))
    expect(await counted(`${everywhere}?author_id=${id}`, 'alice')).toEqual(counts(0, 0))
    expect(await counted(`${everywhere}?author_id=${id}&scope=all`, 'alice')).toEqual(counts(1, 1))
    expect(await counted(`${everywhere}?scope=assigned_to_me`, 'bob')).toEqual(counts(1, 0))
  })

  test('own emoji: those of others do not count', async () => {
    expect(await counted(`${web}?my_reaction_emoji=thumbsup`, 'carol')).toEqual(counts(1, 0))
    expect(await counted(`${web}?my_reaction_emoji=thumbsup`, 'bob')).toEqual(counts(0, 0))
  })
})

describe('refusals', () => {
  test.each([
    ['scope=mine', 'scope does not have a valid value'],
    ['assignee_id=joe', "assignee_id should be an integer, 'None' or 'Any', however got joe"],
    ['assignee_id=1.5', "assignee_id should be an integer, 'None' or 'Any', however got 1.5"],
    ['author_id=1&author_username=x', 'author_id, author_username are mutually exclusive'],
    ['assignee_id=1&assignee_username=x', 'assignee_id, assignee_username are mutually exclusive'],
    ['author_id=joe', 'author_id is invalid'],
    ['iids[]=one', 'iids is invalid'],
    ['confidential=perhaps', 'confidential is invalid'],
    ['created_after=yesterday', 'created_after is invalid'],
    ['updated_before=99-99', 'updated_before is invalid'],
    ['in=body', 'in does not have a valid value'],
  ])('%s', async (query, error) => {
    for (const line of [everywhere, acme, web]) {
      const { status, body } = await send(`GET ${line}?${query}`, { as: 'alice' })
      expect(status, line).toBe(400)
      expect(body).toEqual({ error })
    }
  })

  test('several assignees are refused where the tier is free', async () => {
    await using free = await world({ tier: 'free' })
    const query = 'assignee_username[]=a&assignee_username[]=b'
    for (const line of [everywhere, acme, web]) {
      const { status, body } = await client(free)(`GET ${line}?${query}`, { as: 'alice' })
      expect(status).toBe(400)
      expect(body).toEqual({ error: 'assignee_username allows one value, but found 2: a, b' })
    }
    const { status } = await client(free)(`GET ${web}?assignee_username=bob`, { as: 'alice' })
    expect(status).toBe(200)
  })
})

everyRouteCalled('issue statistics')
