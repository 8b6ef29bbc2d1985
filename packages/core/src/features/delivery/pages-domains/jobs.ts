import type { Context } from '../../../kernel/context.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { certificateProblems } from './certificate.ts'
import {
  certificateColumns,
  keyContext,
  needsCertificate,
  type PagesDomainRow,
  renewalStart,
  verificationPeriod,
  verificationRecord,
} from './pages-domain.ts'
import { domainById, domains } from './queries.ts'

const hour = 3_600_000

/** Milliseconds after the domain's creation during which verification is retried hourly, while owners set up the record. */
const setupPeriod = 3 * 24 * hour

const addMilliseconds = (time: string, milliseconds: number) => new Date(Date.parse(time) + milliseconds).toISOString()

const enqueueCertification = (ctx: Context, { id }: PagesDomainRow) =>
  ctx.enqueue('pagesDomains.renewCertificate', { domain: id }, { key: String(id) })

/** Stores the result of a verification, unless the domain was removed during it. */
const storeVerification = async (ctx: Context, { id, createdAt }: PagesDomainRow, verified: boolean) => {
  const change = verified
    ? { verifiedAt: ctx.now, enabledUntil: addMilliseconds(ctx.now, verificationPeriod) }
    : { verifiedAt: null }
  await ctx.db.updateTable('pagesDomain').set(change).where('id', '=', id).execute()
  const row = await domainById(ctx, id)
  if (row === undefined) return
  if (needsCertificate(row, ctx.now)) await enqueueCertification(ctx, row)
  const next = addMilliseconds(ctx.now, hour)
  // The key without a time belongs to the running job.
  if (!verified && Date.parse(ctx.now) - Date.parse(createdAt) < setupPeriod) {
    await ctx.enqueue('pagesDomains.verify', { domain: id }, { key: `${id} ${next}`, runAfter: next })
  }
}

/** Looks up a domain's verification record. A failed lookup fails the job and leaves the domain as it is. */
export const verifyDomain = defineJob('pagesDomains.verify', {
  concurrency: 4,
  async run({ ports, read, write, signal }, { domain }) {
    const row = await read((handle) => domainById(handle, domain))
    if (row === undefined) return
    const { names, record } = verificationRecord(row.name, row.verificationCode)
    const records = await Promise.all(names.map((name) => ports.dns.textRecords(name, { signal })))
    await write((ctx) => storeVerification(ctx, row, records.flat().includes(record)))
  },
})

/** Requests a certificate from the `certificates` port and stores it if it is valid. */
export const certifyDomain = defineJob('pagesDomains.renewCertificate', {
  concurrency: 4,
  async run({ now, ports, read, write, signal }, { domain }) {
    const row = await read((handle) => domainById(handle, domain))
    if (row === undefined || !needsCertificate(row, now)) return
    const issued = await ports.certificates.issue(row.name, { signal })
    if (issued === undefined) return
    const { roots } = ports.certificates
    const problems = Object.entries(certificateProblems(issued, roots === undefined ? {} : { roots }))
    if (problems.length) {
      const texts = problems.map(([field, messages]) => `${field} ${messages.join(', ')}`)
      throw new Error(`The issued certificate is not valid: ${texts.join('; ')}`)
    }
    await write(async (ctx) => {
      const current = await domainById(ctx, domain)
      // A certificate may have been uploaded while this one was issued.
      if (current === undefined || !needsCertificate(current, now)) return
      const sealedKey = ports.secrets.seal(issued.key, keyContext(domain))
      const change = { ...certificateColumns(issued.certificate), sealedKey, updatedAt: ctx.now }
      await ctx.db.updateTable('pagesDomain').set(change).where('id', '=', domain).execute()
    })
  },
})

const batchSize = 500

/** Enqueues the daily verification of every domain and the renewal of certificates that end soon. */
export const reviewDomains = defineJob('pagesDomains.review', {
  every: 'day',
  // Between two changes of the DNS records, only the last verification matters.
  async findNextEffect({ db }, { ports }) {
    if (!ports.pages.enabled) return undefined
    const row = await db
      .selectFrom('pagesDomain')
      .where('autoSslEnabled', '=', true)
      .where('verifiedAt', 'is not', null)
      .orderBy('certificateEndsAt')
      .where('certificateEndsAt', 'is not', null)
      .select('certificateEndsAt')
      .limit(1)
      .executeTakeFirst()
    return row?.certificateEndsAt ? renewalStart(row.certificateEndsAt) : undefined
  },
  async run({ now, ports, read, write }) {
    if (!ports.pages.enabled) return
    for (let lastId = 0; ; ) {
      const rows = await read((handle) =>
        domains(handle).where('id', '>', lastId).orderBy('id').limit(batchSize).execute(),
      )
      await write(async (ctx) => {
        for (const row of rows) {
          await ctx.enqueue('pagesDomains.verify', { domain: row.id }, { key: String(row.id) })
          if (needsCertificate(row, now)) await enqueueCertification(ctx, row)
        }
      })
      const last = rows.at(-1)
      if (last === undefined || rows.length < batchSize) return
      lastId = last.id
    }
  },
})
