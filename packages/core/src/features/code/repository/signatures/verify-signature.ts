import type { Context } from '../../../../kernel/context.ts'
import type { TransactionRunner } from '../../../../kernel/deferred.ts'
import type { ObjectSignature } from '../../../../ports/git.ts'
import { findGpgKeys } from '../../../accounts/gpg-keys/queries.ts'
import { findVerification, storeVerification, type Verification } from '../../../accounts/gpg-keys/verifications.ts'
import { findSigningKey } from '../../../accounts/keys/queries.ts'
import { readCommitEmails } from '../../../accounts/users/commit-email.ts'
import { ignoreUnavailable } from '../contributor-page.ts'
import { checkGpgSignature, type GpgCheck, readGpgSignature } from './gpg-signature.ts'
import type { GpgSignature, ObjectVerification, SshKeySignature, VerificationStatus } from './signature.ts'
import { parseSshSignature } from './ssh-signature.ts'

type Candidate = Awaited<ReturnType<typeof findGpgKeys>>[number] & { readonly emails: ReadonlySet<string> }

const readCandidates = async (ctx: Context, keyId: string): Promise<Candidate[]> => {
  const candidates: Candidate[] = []
  for (const key of await findGpgKeys(ctx, keyId))
    candidates.push({ ...key, emails: await readCommitEmails(ctx, key.userId) })
  return candidates
}

const toSignature = (verificationStatus: VerificationStatus, verification: Verification): GpgSignature => ({
  signatureType: 'PGP',
  verificationStatus,
  gpgKeyId: verification.gpgKeyId,
  gpgKeyPrimaryKeyid: verification.primaryKeyId,
  gpgKeyUserName: verification.userName,
  gpgKeyUserEmail: verification.userEmail,
  gpgKeySubkeyId: verification.gpgSubkeyId,
})

/** The result for a signature, and the key that it belongs to, as far as it is known. */
interface GpgResult {
  readonly status: VerificationStatus
  readonly verification: Verification
}

const getStatus = (check: GpgCheck, own: ReadonlySet<string>, email: string): VerificationStatus => {
  if (check.emails.size === 0) return 'unverified_key'
  if (!check.isValid) return 'unverified'
  if (check.emails.has(email)) return 'verified'
  return own.has(email) ? 'same_user_different_email' : 'other_user'
}

const verifyGpg = async (
  { read }: Pick<TransactionRunner, 'read'>,
  { text, payload, email }: ObjectSignature,
): Promise<GpgResult> => {
  const { keyId, isMultiple } = await readGpgSignature(text)
  const unknown = {
    gpgKeyId: null,
    gpgSubkeyId: null,
    primaryKeyId: keyId?.toUpperCase() ?? null,
    userName: null,
    userEmail: null,
  }
  if (isMultiple) return { status: 'multiple_signatures', verification: unknown }
  if (keyId === undefined) return { status: 'unverified', verification: unknown }
  const { candidates, now } = await read(async (ctx) => ({
    candidates: await readCandidates(ctx, keyId),
    now: ctx.now,
  }))
  const checked = await Promise.all(
    candidates.map(async (key) => ({ key, check: await checkGpgSignature(text, payload, { ...key, now }) })),
  )
  const found = checked.find(({ check }) => check.isValid) ?? checked[0]
  if (found === undefined) return { status: 'unknown_key', verification: unknown }
  const { key, check } = found
  return {
    status: getStatus(check, key.emails, email.toLowerCase()),
    verification: {
      gpgKeyId: key.id,
      gpgSubkeyId: key.subkeyId,
      primaryKeyId: key.keyId.toUpperCase(),
      userName: check.userName,
      userEmail: check.userEmail,
    },
  }
}

const verifySsh = async (
  { read }: Pick<TransactionRunner, 'read'>,
  { text, payload, email }: ObjectSignature,
): Promise<SshKeySignature> => {
  const signature = parseSshSignature(text)
  const answer = (verificationStatus: VerificationStatus, key: SshKeySignature['key'] = null): SshKeySignature => ({
    signatureType: 'SSH',
    verificationStatus,
    key,
  })
  if (signature === undefined || !signature.verify(payload)) return answer('unverified')
  const found = await read(async (ctx) => {
    const row = await findSigningKey(ctx, signature.keySha256)
    return row && { ...row, emails: await readCommitEmails(ctx, row.userId) }
  })
  if (found === undefined) return answer('unknown_key')
  const { key, emails } = found
  return answer(emails.has(email.toLowerCase()) ? 'verified' : 'other_user', key)
}

/** Verifies the signature of a commit or tag with the keys that users have added. */
export async function verifySignature(
  runner: TransactionRunner,
  {
    projectId,
    id,
    signature,
  }: { readonly projectId: number; readonly id: string; readonly signature: ObjectSignature },
): Promise<ObjectVerification> {
  if (signature.text.startsWith('-----BEGIN SSH SIGNATURE')) return verifySsh(runner, signature)
  if (!signature.text.startsWith('-----BEGIN PGP')) return { signatureType: 'X509', verificationStatus: 'unverified' }
  // A signature stays verified after the removal of its key, but not after its revocation.
  const object = { projectId, objectId: id }
  const stored = await runner.read((ctx) => findVerification(ctx, object))
  if (stored) return toSignature('verified', stored)
  const { status, verification } = await verifyGpg(runner, signature)
  if (status === 'verified')
    await runner.write((ctx) => storeVerification(ctx, object, verification)).catch(ignoreUnavailable)
  return toSignature(status, verification)
}
