import * as v from 'valibot'
import { instance, project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { allOrNone } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { certificateComplaints } from './certificate.ts'
import { domainNameComplaint } from './domain-name.ts'
import {
  certificateColumns,
  keyContext,
  needsCertificate,
  type PagesDomain,
  type PagesDomainRow,
  toPagesDomain,
  toPagesDomainRecord,
} from './pages-domain.ts'
import { domainById, domainOf, domains, isTaken, refuseWithoutPages, refuseWithoutPagesIn } from './queries.ts'

/** An empty value gets words of its own. */
const Switch = v.optional(
  v.pipe(
    v.nullable(v.boolean()),
    v.check((value) => value !== null, 'is empty'),
  ),
)

/** PEM; blank for none. */
const Pem = v.optional(v.nullable(v.string()))

const unblank = (text: string | null | undefined): string | null => (text == null || text.trim() === '' ? null : text)

interface Pair {
  readonly certificate: string | null
  readonly key: string | null
}

const complaintsAbout = ({ ports }: Context, { certificate, key }: Pair) => {
  const { roots } = ports.certificates
  return certificateComplaints(
    { certificate: certificate ?? undefined, key: key ?? undefined },
    roots === undefined ? {} : { roots },
  )
}

const store = async ({ db, ports, now }: Context, id: number, { certificate, key }: Pair) => {
  const sealedKey = key === null ? null : ports.secrets.seal(key, keyContext(id))
  const change = { ...certificateColumns(certificate), sealedKey, updatedAt: now }
  await db.updateTable('pagesDomain').set(change).where('id', '=', id).execute()
}

const present = async (ctx: Context, id: number): Promise<PagesDomain> =>
  toPagesDomain((await domainById(ctx, id)) as PagesDomainRow, ctx.now)

/** The certificate and key that a change leads to; nothing when it leaves both as they are. */
const changedPair = (
  { ports }: Context,
  known: PagesDomainRow,
  given: { certificate?: string | null | undefined; key?: string | null | undefined },
): Pair | undefined => {
  if (given.certificate === undefined && given.key === undefined) return undefined
  const knownKey = () => known.sealedKey && ports.secrets.open(known.sealedKey, keyContext(known.id))
  return {
    certificate: given.certificate === undefined ? known.certificate : unblank(given.certificate),
    key: given.key === undefined ? knownKey() : unblank(given.key),
  }
}

/** Work that a domain waits for; looked at again when it is done. */
const follow = async (ctx: Context, id: number) => {
  const row = (await domainById(ctx, id)) as PagesDomainRow
  if (needsCertificate(row, ctx.now)) await ctx.enqueue('pagesDomains.certify', { domain: id }, { key: String(id) })
}

export const pagesDomains = {
  /** The domains of all projects, for administrators (specification 2, "Pages domains"). */
  listAll: query({
    on: instance,
    can: 'pagesDomain.listAll',
    input: paging,
    async run(ctx, at) {
      refuseWithoutPages(ctx)
      const rows = ctx.db
        .selectFrom('pagesDomain')
        .orderBy('id')
        .select(['id', 'projectId', 'name', 'autoSslEnabled', 'certificateStartsAt', 'certificateEndsAt'])
        .select(['verificationCode', 'verifiedAt', 'enabledUntil'])
      return paginate(rows, at, (row) => toPagesDomainRecord(row, ctx.now))
    },
  }),

  /** The domains of a project, by name. */
  list: query({
    on: project,
    can: 'pagesDomain.read',
    input: paging,
    async run(ctx, at, subject) {
      await refuseWithoutPagesIn(ctx, subject.project.id)
      const rows = domains(ctx).where('projectId', '=', subject.project.id).orderBy('name')
      return paginate(rows, at, (row) => toPagesDomain(row, ctx.now))
    },
  }),

  /** One domain of a project; its name counts in any case. */
  get: query({
    on: project,
    can: 'pagesDomain.read',
    input: { domain: v.string() },
    async run(ctx, { domain }, subject): Promise<PagesDomain> {
      await refuseWithoutPagesIn(ctx, subject.project.id)
      return toPagesDomain(await domainOf(ctx, subject.project.id, domain), ctx.now)
    },
  }),

  /**
   * Gives a project a domain that nobody has yet. A certificate comes with all above it, from most to least specific, and with
   * its private key, which nobody reads again.
   */
  create: command({
    on: project,
    can: 'pagesDomain.manage',
    input: { domain: v.string(), autoSslEnabled: Switch, certificate: Pem, key: Pem },
    rules: [allOrNone('certificate', 'key')],
    async run(ctx, { domain: name, autoSslEnabled, ...given }, subject): Promise<PagesDomain> {
      const { id: projectId } = subject.project
      await refuseWithoutPagesIn(ctx, projectId)
      const pair = { certificate: unblank(given.certificate), key: unblank(given.key) }
      const complaint =
        domainNameComplaint(name, ctx.ports.pages.host) ??
        ((await isTaken(ctx, name)) ? 'has already been taken' : undefined)
      const complaints = { ...(complaint !== undefined && { domain: [complaint] }), ...complaintsAbout(ctx, pair) }
      if (Object.keys(complaints).length) throw invalid(complaints)
      const [row] = await ctx.db
        .insertInto('pagesDomain')
        .values({
          projectId,
          name,
          autoSslEnabled: autoSslEnabled ?? false,
          ...certificateColumns(null),
          sealedKey: null,
          verificationCode: Buffer.from(ctx.ports.random.bytes(16)).toString('hex'),
          verifiedAt: null,
          enabledUntil: null,
          createdAt: ctx.now,
          updatedAt: ctx.now,
        })
        .returning('id')
        .execute()
      const { id } = row as { id: number }
      if (pair.certificate !== null) await store(ctx, id, pair)
      await ctx.enqueue('pagesDomains.verify', { domain: id }, { key: String(id) })
      return present(ctx, id)
    },
  }),

  /**
   * Changes the certificate of a domain or how it comes by one. Empty texts for both certificate and key remove them; of a
   * certificate alone the key that is there must fit. The name itself never changes.
   */
  update: command({
    on: project,
    can: 'pagesDomain.manage',
    input: { domain: v.string(), autoSslEnabled: Switch, certificate: Pem, key: Pem },
    async run(ctx, { domain, autoSslEnabled, ...given }, subject): Promise<PagesDomain> {
      await refuseWithoutPagesIn(ctx, subject.project.id)
      const known = await domainOf(ctx, subject.project.id, domain)
      const pair = changedPair(ctx, known, given)
      const complaints = pair === undefined ? {} : complaintsAbout(ctx, pair)
      if (Object.keys(complaints).length) throw invalid(complaints)
      if (pair !== undefined) await store(ctx, known.id, pair)
      if (autoSslEnabled != null && autoSslEnabled !== known.autoSslEnabled) {
        const change = { autoSslEnabled, updatedAt: ctx.now }
        await ctx.db.updateTable('pagesDomain').set(change).where('id', '=', known.id).execute()
      }
      await follow(ctx, known.id)
      return present(ctx, known.id)
    },
  }),

  /** Takes the domain away from the project. Anybody can have the name then. */
  remove: command({
    on: project,
    can: 'pagesDomain.manage',
    input: { domain: v.string() },
    async run(ctx, { domain }, subject) {
      await refuseWithoutPagesIn(ctx, subject.project.id)
      const { id } = await domainOf(ctx, subject.project.id, domain)
      await ctx.db.deleteFrom('pagesDomain').where('id', '=', id).execute()
    },
  }),

  /** Looks for the proof of ownership soon, without waiting for the next day. Answers the domain as it is now. */
  verify: command({
    on: project,
    can: 'pagesDomain.manage',
    input: { domain: v.string() },
    async run(ctx, { domain }, subject): Promise<PagesDomain> {
      await refuseWithoutPagesIn(ctx, subject.project.id)
      const row = await domainOf(ctx, subject.project.id, domain)
      await ctx.enqueue('pagesDomains.verify', { domain: row.id }, { key: String(row.id) })
      return toPagesDomain(row, ctx.now)
    },
  }),
}
