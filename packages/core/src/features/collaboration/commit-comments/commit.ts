import * as v from 'valibot'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred, type TransactionRunner } from '../../../kernel/deferred.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Repository } from '../../../ports/git.ts'
import { requireCommit } from '../../code/commits/queries.ts'
import { openRepository } from '../../code/repository/opened-repository.ts'
import type { CommentedCommit } from './comment-rows.ts'

/** The text of a comment in Markdown. */
export const CommentText = v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_000_000))

/** A commit SHA (hexadecimal, may be abbreviated), a branch or a tag. */
export const CommitReference = v.pipe(v.string(), v.maxLength(1_024))

/** Finds a commit of a project after the transaction, and continues with it. @throws PlatformError `not_found` without it */
export const withCommit = async <T>(
  ctx: Context,
  subject: Pick<Subjects['project'], 'project'>,
  sha: string,
  run: (commit: CommentedCommit, transactions: TransactionRunner, repository: Repository) => Promise<T>,
): Promise<Deferred<T>> => {
  const opened = await openRepository(ctx, subject)
  return afterTransaction(async (transactions) => {
    const { id } = await requireCommit(opened, sha)
    if (opened === undefined) throw notFound('Commit')
    return run({ projectId: subject.project.id, sha: id }, transactions, opened.repository)
  })
}
