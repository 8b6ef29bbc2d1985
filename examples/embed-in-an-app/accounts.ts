import { randomBytes, randomUUID, scryptSync, timingSafeEqual } from 'node:crypto'
import type { Identity, Platform } from '@forgelet/core'

/** An account of the application. It has no reference to the forge. */
interface Account {
  readonly id: string
  readonly salt: Buffer
  readonly passwordHash: Buffer
}

const hashPassword = (password: string, salt: Buffer) => scryptSync(password, salt, 32)

/** The identity that is linked to the user of an account. */
const identityOf = ({ id }: Account) => ({ provider: 'example-app', externalUid: id })

/** Accounts and sessions in memory. A real application stores both in tables. */
export const createAccounts = (platform: Platform) => {
  const accounts = new Map<string, Account>()
  const sessions = new Map<string, Account>()

  const createSession = (account: Account) => {
    const id = randomBytes(32).toString('base64url')
    sessions.set(id, account)
    return id
  }

  return {
    /**
     * Creates an account and a linked user of the forge. If the forge rejects the username, neither is created.
     *
     * @returns the id of a new session
     */
    async register({ username, email, password }: Record<'username' | 'email' | 'password', string>) {
      const salt = randomBytes(16)
      const account = { id: randomUUID(), salt, passwordHash: hashPassword(password, salt) }
      await platform.atomic(async (tx) => {
        const host = tx.as({ system: 'registration' })
        const user = await host.users.create({ username, email })
        await host.identities.link({ user: user.id, ...identityOf(account) })
      })
      accounts.set(username, account)
      return createSession(account)
    },

    /** @returns the id of a new session; undefined if the username or the password is wrong */
    signIn({ username, password }: Record<'username' | 'password', string>) {
      const account = accounts.get(username)
      const isValid = account && timingSafeEqual(hashPassword(password, account.salt), account.passwordHash)
      return isValid ? createSession(account) : undefined
    },

    /** The identity of a `Cookie` header; null without a valid session. */
    identityOfCookie(cookie = ''): Identity {
      const id = /(?:^|; )session=([\w-]+)/.exec(cookie)?.[1] ?? ''
      const account = sessions.get(id)
      return account ? identityOf(account) : null
    },
  }
}
