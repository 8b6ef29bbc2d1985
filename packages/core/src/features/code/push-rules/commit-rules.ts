import type { Commit } from '../../../ports/git.ts'
import { compileMessagePattern, compilePattern } from './patterns.ts'
import type { PushRuleValues } from './push-rule.ts'

/** The user who pushes. */
export interface Pusher {
  readonly name: string
  /** In lowercase: the primary address, and the confirmed additional ones. */
  readonly emails: ReadonlySet<string>
}

/** The time that a pattern takes grows with the length of the message. */
const maxMessageLength = 10_000

const signOff = /^Signed-off-by: .+ <[^<>\s]+@[^<>\s]+>\s*$/m

type Check = (commit: Commit) => string | undefined

const checkMessages = (rule: PushRuleValues): Check => {
  const required = compileMessagePattern(rule.commitMessageRegex)
  const forbidden = compileMessagePattern(rule.commitMessageNegativeRegex)
  return ({ message }) => {
    if ((required || forbidden) && message.length > maxMessageLength)
      return `Commit message is too long to be checked (maximum is ${maxMessageLength} characters)`
    if (required && !required(message)) return `Commit message does not follow the pattern '${rule.commitMessageRegex}'`
    if (forbidden?.(message))
      return `Commit message contains the forbidden pattern '${rule.commitMessageNegativeRegex}'`
    return rule.rejectNonDcoCommits && !signOff.test(message) ? 'Commit message must contain a DCO signoff' : undefined
  }
}

const checkEmails = ({ authorEmailRegex }: PushRuleValues): Check => {
  const required = compilePattern(authorEmailRegex)
  return ({ author, committer }) => {
    if (!required) return undefined
    if (!required(author.email))
      return `Author's email '${author.email}' does not follow the pattern '${authorEmailRegex}'`
    return required(committer.email)
      ? undefined
      : `Committer's email '${committer.email}' does not follow the pattern '${authorEmailRegex}'`
  }
}

const checkPusher =
  (rule: PushRuleValues, { name, emails }: Pusher): Check =>
  ({ author, committer }) => {
    if (rule.commitCommitterCheck && !emails.has(committer.email.toLowerCase()))
      return `You cannot push commits for '${committer.email}'. Use one of your own confirmed addresses as committer.`
    return rule.commitCommitterNameCheck && author.name !== name
      ? `Your git username '${author.name}' is inconsistent with your account name '${name}'`
      : undefined
  }

/** Whether a rule has conditions for commits other than `memberCheck`. */
export const hasCommitRules = (rule: PushRuleValues): boolean =>
  rule.commitMessageRegex !== '' ||
  rule.commitMessageNegativeRegex !== '' ||
  rule.authorEmailRegex !== '' ||
  rule.rejectNonDcoCommits ||
  rule.commitCommitterCheck ||
  rule.commitCommitterNameCheck

/** The function that finds the reason why a commit must not be pushed. */
export const createCommitCheck = (rule: PushRuleValues, pusher: Pusher): Check => {
  const checks = [checkMessages(rule), checkEmails(rule), checkPusher(rule, pusher)]
  return (commit) => {
    for (const check of checks) {
      const refusal = check(commit)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }
}
