import { job } from '../../jobs.ts'
import type { Context } from '../../kernel/context.ts'
import { certificateComplaints } from './certificate.ts'
import {
  certificateColumns,
  keyContext,
  needsCertificate,
  type PagesDomainRow,
  proofHolds,
  proofOf,
} from './pages-domain.ts'
import { domainById, domains } from './queries.ts'

const hour = 3_600_000

/** People need a while until they have put the code into the name service. */
const impatience = 3 * 24 * hour

const after = (now: string, milliseconds: number) => new Date(Date.parse(now) + milliseconds).toISOString()

const askForCertificate = (ctx: Context, { id }: PagesDomainRow) =>
  ctx.enqueue('pagesDomains.certify', { domain: id }, { key: String(id) })

/** The outcome of one look, unless the domain has gone meanwhile. */
const record = async (ctx: Context, { id, createdAt }: PagesDomainRow, proven: boolean) => {
  const change = proven ? { verifiedAt: ctx.now, enabledUntil: after(ctx.now, proofHolds) } : { verifiedAt: null }
  await ctx.db.updateTable('pagesDomain').set(change).where('id', '=', id).execute()
  const row = await domainById(ctx, id)
  if (row === undefined) return
  if (needsCertificate(row, ctx.now)) await askForCertificate(ctx, row)
  const next = after(ctx.now, hour)
  // The job that runs has the plain key still.
  if (!proven && Date.parse(ctx.now) - Date.parse(createdAt) < impatience) {
    await ctx.enqueue('pagesDomains.verify', { domain: id }, { key: `${id} ${next}`, runAfter: next })
  }
}

/** Looks for the code of a domain in the name service. A service that does not answer says nothing about the owner. */
export const verifyDomain = job('pagesDomains.verify', {
  async run({ ports, read, write }, { domain }) {
    const row = await read((handle) => domainById(handle, domain))
    if (row === undefined) return
    const { names, record: wanted } = proofOf(row.name, row.verificationCode)
    const records = await Promise.all(names.map((name) => ports.names.textRecords(name)))
    await write((ctx) => record(ctx, row, records.flat().includes(wanted)))
  },
})

/** Gets a certificate from whoever issues them, and stores it if it is one. */
export const certifyDomain = job('pagesDomains.certify', {
  async run({ now, ports, read, write }, { domain }) {
    const row = await read((handle) => domainById(handle, domain))
    if (row === undefined || !needsCertificate(row, now)) return
    const issued = await ports.certificates.issue(row.name)
    if (issued === undefined) return
    const { roots } = ports.certificates
    const complaints = Object.entries(certificateComplaints(issued, roots === undefined ? {} : { roots }))
    if (complaints.length) {
      const words = complaints.map(([field, messages]) => `${field} ${messages.join(', ')}`)
      throw new Error(`The certificate that was issued cannot be used: ${words.join('; ')}`)
    }
    await write(async (ctx) => {
      const known = await domainById(ctx, domain)
      // Somebody may have brought one meanwhile.
      if (known === undefined || !needsCertificate(known, now)) return
      const sealedKey = ports.secrets.seal(issued.key, keyContext(domain))
      const change = { ...certificateColumns(issued.certificate), sealedKey, updatedAt: ctx.now }
      await ctx.db.updateTable('pagesDomain').set(change).where('id', '=', domain).execute()
    })
  },
})

const slice = 500

/** Looks at every domain once a day: proofs are renewed or end, and so do certificates. */
export const reviewDomains = job('pagesDomains.review', {
  every: 'day',
  async run({ now, ports, read, write }) {
    if (!ports.pages.enabled) return
    for (let from = 0; ; ) {
      const rows = await read((handle) => domains(handle).where('id', '>', from).orderBy('id').limit(slice).execute())
      await write(async (ctx) => {
        for (const row of rows) {
          await ctx.enqueue('pagesDomains.verify', { domain: row.id }, { key: String(row.id) })
          if (needsCertificate(row, now)) await askForCertificate(ctx, row)
        }
      })
      const last = rows.at(-1)
      if (last === undefined || rows.length < slice) return
      from = last.id
    }
  },
})
