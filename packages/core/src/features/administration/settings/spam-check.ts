import { hash } from 'node:crypto'
import type { Context } from '../../../kernel/context.ts'
import { invalidInput } from '../../../kernel/errors.ts'
import type { Submission } from '../../../ports/spam-filter.ts'
import { sendOutbound } from './outbound-request.ts'
import { getOutboundRules } from './outbound-rules.ts'
import { getSettings } from './queries.ts'
import { readSecretSetting } from './secret-values.ts'

/** Milliseconds that a user waits for the filter. */
const timeout = 5_000

const maximumResponseBytes = 1_024

/**
 * Asks the spam filter, if it is enabled, about what a user is about to publish. Calls of the host are not checked.
 *
 * @throws PlatformError `invalid_input` for spam
 */
export const assertNotSpam = async (ctx: Context, content: Pick<Submission, 'kind' | 'text'>): Promise<void> => {
  const { actor, ports, call } = ctx
  if (actor.kind !== 'user' || !(await getSettings(ctx)).spamfilterEnabled) return
  const apiKey = await readSecretSetting(ctx, 'spamfilterApiKey')
  if (apiKey === null) return
  const rules = await getOutboundRules(ctx, 'administrators')
  const author = await ctx.db.selectFrom('user').where('id', '=', actor.id).select('email').executeTakeFirst()
  const submission: Submission = {
    ...content,
    authorName: actor.name,
    authorEmail: author?.email ?? null,
    siteUrl: call.siteUrl,
    ipAddress: call.ipAddress,
    userAgent: call.userAgent,
  }
  const isSpam = ctx.ask(`spam ${hash('sha256', JSON.stringify(submission), 'hex')}`, async () => {
    const signal = AbortSignal.timeout(timeout)
    const request = { verifiesCertificate: true, timeout, maximumResponseBytes, signal }
    try {
      return await ports.spamFilter.isSpam(submission, {
        apiKey,
        send: (message) => sendOutbound(ports, rules, { ...request, ...message }),
      })
    } catch {
      // Users can work while the filter cannot be reached.
      return false
    }
  })
  if (isSpam) throw invalidInput([{ fields: [], message: 'Spam detected' }])
}
