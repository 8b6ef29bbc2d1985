import { type Mail, type MailMessage, MailRefusedError } from '../../../ports/mail.ts'

/**
 * Sends a message. Returns false if the mail server refuses its recipient or its content, which another attempt would not change. Other
 * failures are thrown: the job is repeated.
 */
export async function deliver(
  mail: Mail,
  message: MailMessage,
  { signal }: { readonly signal: AbortSignal },
): Promise<boolean> {
  try {
    await mail.send(message, { signal })
    return true
  } catch (error) {
    if (error instanceof MailRefusedError) return false
    throw error
  }
}
