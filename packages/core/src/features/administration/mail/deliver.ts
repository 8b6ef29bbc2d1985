import type { Context } from '../../../kernel/context.ts'
import type { JobContext } from '../../../kernel/jobs/job.ts'
import { type MailMessage, MailRefusedError } from '../../../ports/mail.ts'
import { composeMail, type MailContent } from './compose-mail.ts'

/**
 * Sends a message. Returns false if the mail server refuses its recipient or its content, which another attempt would not change. Other
 * failures are thrown: the job is repeated.
 */
export async function deliver({ ports, signal }: JobContext, message: MailMessage): Promise<boolean> {
  try {
    await ports.mail.send(message, { signal })
    return true
  } catch (error) {
    if (error instanceof MailRefusedError) return false
    throw error
  }
}

/** Sends what `describe` returns in a read of the job; nothing for undefined. */
export async function sendMail(
  job: JobContext,
  describe: (ctx: Context) => Promise<MailContent | undefined>,
): Promise<void> {
  const message = await job.read(async (ctx) => {
    const content = await describe(ctx)
    return content && composeMail(ctx, content)
  })
  if (message) await deliver(job, message)
}
