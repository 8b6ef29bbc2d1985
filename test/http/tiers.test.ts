import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../packages/http/src/routes.ts'
import type { Route } from '../../packages/http/src/routing/route.ts'
import { world } from '../world.ts'
import { createValidRequests, toLine, type ValidRequests } from './valid-requests.ts'

/** The routes of the paid tier answer 403 in the free tier, before anything else is checked; all others serve both tiers. */

const tiers = ['free', 'paid'] as const
let forges: Readonly<Record<(typeof tiers)[number], { readonly forge: FakeForge; readonly requests: ValidRequests }>>
beforeAll(async () => {
  const open = async (tier: (typeof tiers)[number]) => {
    const forge = await world({ tier })
    return { forge, requests: createValidRequests(forge, {}) }
  }
  forges = { free: await open('free'), paid: await open('paid') }
}, 120_000)
afterAll(async () => {
  for (const { forge } of Object.values(forges)) await forge.close()
})

/** Places of the paid tier whose routes share operations with places of both tiers. */
const paidPlaces = ['/groups/:id/epics/', '/groups/:id/wikis']

const isPaid = ({ path, operation }: Route) =>
  operation.tier === 'paid' || paidPlaces.some((place) => path.startsWith(`/api/v4${place}`))

/** Without SCIM and applications with feature flags, which have tokens of their own, and without writes of both tiers, which could revoke the token of the sender. */
const tested = routes.filter(
  ({ path, method, operation }) =>
    !/\/(?:scim|unleash)\//.test(path) && (method === 'GET' || operation.tier === 'paid'),
)

describe.each(tiers)('in the %s tier', (tier) => {
  test.each(tested.map((route) => [toLine(route), route] as const))('%s', async (_line, route) => {
    const response = await forges[tier].requests.send(route, { path: {}, parameters: {} })
    const message = response.status === 403 ? (await response.json()).message : undefined
    const isRejected = message === '403 Forbidden - This operation requires the paid tier'
    expect(isRejected).toBe(tier === 'free' && isPaid(route))
    expect(response.status).not.toBe(401)
  })
})

test('some routes are tested in both tiers', () => {
  expect(tested.filter(isPaid).length).toBeGreaterThan(40)
  expect(tested.filter((route) => !isPaid(route)).length).toBeGreaterThan(200)
})
