import * as v from 'valibot'
import { project, projectOrInstance } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { allOrNone } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { assertUnmodified } from '../../../kernel/precondition.ts'
import { CheckedText } from '../../../kernel/text-limits.ts'
import { sealChanged } from '../../../ports/secrets.ts'
import { defined } from '../../../shared/defined.ts'
import { certificateProblems } from './certificate.ts'
import { domainNameProblem } from './domain-name.ts'
import {
  certificateColumns,
  keyContext,
  needsCertificate,
  type PagesDomain,
  type PagesDomainRow,
  toListedDomain,
  toPagesDomain,
} from './pages-domain.ts'
import {
  assertPagesEnabled,
  assertProjectPagesEnabled,
  domainById,
  domainByName,
  domains,
  domainsWithoutCertificate,
  isNameTaken,
} from './queries.ts'

/** Null has its own error message. */
const OptionalFlag = v.optional(
  v.pipe(
    v.nullable(v.boolean()),
    v.check((value) => value !== null, 'is empty'),
  ),
)

/** Blank text means none. */
const OptionalPem = v.optional(v.nullable(CheckedText))

const blankToNull = (text: string | null | undefined): string | null =>
  text == null || text.trim() === '' ? null : text

interface Pair {
  readonly certificate: string | null
  readonly key: string | null
}

const pairProblems = ({ ports }: Context, { certificate, key }: Pair) => {
  const { roots } = ports.certificates
  return certificateProblems(
    { certificate: certificate ?? undefined, key: key ?? undefined },
    roots === undefined ? {} : { roots },
  )
}

const storePair = async (ctx: Context, id: number, { certificate, key }: Pair, storedKey: string | null = null) => {
  const sealedKey = key === null ? null : sealChanged(ctx.ports.secrets, storedKey, key, keyContext(id))
  return updateChanged(ctx, 'pagesDomain', id, { ...certificateColumns(certificate), sealedKey })
}

const readDomain = async (ctx: Context, id: number): Promise<PagesDomain> =>
  toPagesDomain(defined(await domainById(ctx, id)), ctx.now)

/** Certificate and key after an update; `undefined` if it changes neither. */
const changedPair = (
  { ports }: Context,
  row: PagesDomainRow,
  input: { certificate?: string | null | undefined; key?: string | null | undefined },
): Pair | undefined => {
  if (input.certificate === undefined && input.key === undefined) return undefined
  const storedKey = () => row.sealedKey && ports.secrets.open(row.sealedKey, keyContext(row.id))
  return {
    certificate: input.certificate === undefined ? row.certificate : blankToNull(input.certificate),
    key: input.key === undefined ? storedKey() : blankToNull(input.key),
  }
}

const enqueueCertificationIfDue = async (ctx: Context, id: number) => {
  const row = defined(await domainById(ctx, id))
  if (needsCertificate(row, ctx.now))
    await ctx.enqueue('pagesDomains.renewCertificate', { domain: id }, { key: String(id) })
}

export const pagesDomains = {
  /**
   * Lists domains of a project, by name, or, without one, of all projects by id, for administrators. Every operation on domains
   * fails with `not_found` if pages are disabled for the host or the project.
   */
  list: query({
    on: projectOrInstance,
    can: 'pagesDomain.read',
    input: pagingEntries,
    async run(ctx, at, subject) {
      if (subject.kind === 'project') {
        await assertProjectPagesEnabled(ctx, subject.project.id)
        const rows = domains(ctx).where('projectId', '=', subject.project.id).orderBy('name')
        return paginate(rows, at, (row) => toPagesDomain(row, ctx.now))
      }
      assertPagesEnabled(ctx)
      return paginate(domainsWithoutCertificate(ctx).orderBy('id'), at, (row) => toListedDomain(row, ctx.now))
    },
  }),

  /** Gets a domain of a project, by its name. */
  get: query({
    on: project,
    can: 'pagesDomain.read',
    input: {
      /** The domain name, ignoring case. */
      domain: v.string(),
    },
    async run(ctx, { domain }, subject): Promise<PagesDomain> {
      await assertProjectPagesEnabled(ctx, subject.project.id)
      return toPagesDomain(await domainByName(ctx, subject.project.id, domain), ctx.now)
    },
  }),

  /**
   * Adds a domain that no project has yet. A certificate requires its intermediates, from most to least specific, and its private
   * key, which no operation returns.
   */
  create: command({
    on: project,
    can: 'pagesDomain.manage',
    input: {
      /**
       * A host name such as `www.example.com`; international names in ASCII form (`xn--…`). At most 255 characters.
       * Unique on the instance, ignoring case; it must not be an IP address, a wildcard or below the host of all pages.
       */
      domain: v.string(),
      /** Whether certificates are issued and renewed automatically, once the domain is verified. Default: false. */
      autoSslEnabled: OptionalFlag,
      /** PEM text of the certificate, followed by its intermediates from most to least specific. Requires `key`. */
      certificate: OptionalPem,
      /** PEM text of the unencrypted private key. Stored encrypted and never returned. */
      key: OptionalPem,
    },
    rules: [allOrNone('certificate', 'key')],
    async run(ctx, { domain: name, autoSslEnabled, ...input }, subject): Promise<PagesDomain> {
      const { id: projectId } = subject.project
      await assertProjectPagesEnabled(ctx, projectId)
      const pair = { certificate: blankToNull(input.certificate), key: blankToNull(input.key) }
      const nameProblem =
        domainNameProblem(name, ctx.ports.pages.host) ??
        ((await isNameTaken(ctx, name)) ? 'has already been taken' : undefined)
      const problems = { ...(nameProblem !== undefined && { domain: [nameProblem] }), ...pairProblems(ctx, pair) }
      if (Object.keys(problems).length) throw invalid(problems)
      const { id } = await ctx.db
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
        } satisfies CompleteRow<'pagesDomain'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      if (pair.certificate !== null) await storePair(ctx, id, pair)
      await ctx.enqueue('pagesDomains.verify', { domain: id }, { key: String(id) })
      return readDomain(ctx, id)
    },
  }),

  /**
   * Changes the certificate of a domain or whether one is issued automatically. Empty texts for both certificate and key remove
   * them; a certificate alone must match the stored key. The name cannot be changed.
   */
  update: command({
    on: project,
    can: 'pagesDomain.manage',
    input: {
      /** Name of the domain to change, ignoring case. */
      domain: v.string(),
      /** Whether certificates are issued and renewed automatically; unchanged if omitted. */
      autoSslEnabled: OptionalFlag,
      /** PEM text of the certificate, followed by its intermediates; unchanged if omitted. Blank or null removes it. */
      certificate: OptionalPem,
      /** PEM text of the private key; unchanged if omitted. Blank or null removes it. */
      key: OptionalPem,
    },
    async run(ctx, { domain, autoSslEnabled, ...input }, subject): Promise<PagesDomain> {
      await assertProjectPagesEnabled(ctx, subject.project.id)
      const row = await domainByName(ctx, subject.project.id, domain)
      const pair = changedPair(ctx, row, input)
      const problems = pair === undefined ? {} : pairProblems(ctx, pair)
      if (Object.keys(problems).length) throw invalid(problems)
      const isReplaced = pair !== undefined && (await storePair(ctx, row.id, pair, row.sealedKey))
      const isSwitched = await updateChanged(ctx, 'pagesDomain', row.id, {
        autoSslEnabled: autoSslEnabled ?? undefined,
      })
      if (isReplaced || isSwitched) await enqueueCertificationIfDue(ctx, row.id)
      return readDomain(ctx, row.id)
    },
  }),

  /** Removes a domain; its name becomes available to all projects. */
  remove: command({
    on: project,
    can: 'pagesDomain.manage',
    input: {
      /** Name of the domain to remove, ignoring case. */
      domain: v.string(),
    },
    async run(ctx, { domain }, subject) {
      await assertProjectPagesEnabled(ctx, subject.project.id)
      const { id } = await domainByName(ctx, subject.project.id, domain)
      const { updatedAt } = await ctx.db
        .deleteFrom('pagesDomain')
        .where('id', '=', id)
        .returning('updatedAt')
        .executeTakeFirstOrThrow()
      assertUnmodified(ctx, updatedAt)
    },
  }),

  /** Enqueues a verification without waiting for the daily one. Returns the domain before it. */
  verify: command({
    on: project,
    can: 'pagesDomain.manage',
    input: {
      /** Name of the domain to verify, ignoring case. */
      domain: v.string(),
    },
    async run(ctx, { domain }, subject): Promise<PagesDomain> {
      await assertProjectPagesEnabled(ctx, subject.project.id)
      const row = await domainByName(ctx, subject.project.id, domain)
      await ctx.enqueue('pagesDomains.verify', { domain: row.id }, { key: String(row.id) })
      return toPagesDomain(row, ctx.now)
    },
  }),
}
