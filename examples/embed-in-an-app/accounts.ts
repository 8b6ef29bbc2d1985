import { randomBytes, randomUUID, scryptSync, timingSafeEqual } from 'node:crypto'
import type { Identity, Platform } from '@forgelet/core'

/** What your program keeps about its people. It knows nothing of the forge. */
interface Account {
  readonly id: string
  readonly salt: Buffer
  readonly passwordHash: Buffer
}

const hashOf = (password: string, salt: Buffer) => scryptSync(password, salt, 32)

/** Who somebody of this program is in the forge: whoever was linked to their account. */
const identityOf = ({ id }: Account) => ({ provider: 'this-program', externalUid: id })

/** Accounts and who is signed in. A real program has tables of its own for both. */
export const openAccounts = (platform: Platform) => {
  const accounts = new Map<string, Account>()
  const signedIn = new Map<string, Account>()

  const begin = (account: Account) => {
    const session = randomBytes(32).toString('base64url')
    signedIn.set(session, account)
    return session
  }

  return {
    /**
     * Makes an account, and a user of the forge for it: on a name that is taken the forge refuses, and there is neither.
     *
     * @returns the session of whoever has registered
     */
    async register({ username, email, password }: Record<'username' | 'email' | 'password', string>) {
      const salt = randomBytes(16)
      const account = { id: randomUUID(), salt, passwordHash: hashOf(password, salt) }
      await platform.atomic(async (open) => {
        const host = open.as({ system: 'registration' })
        const user = await host.users.create({ username, email })
        await host.identities.link({ user: user.id, ...identityOf(account) })
      })
      accounts.set(username, account)
      return begin(account)
    },

    /** @returns a session; undefined when the name or the password is wrong */
    signIn({ username, password }: Record<'username' | 'password', string>) {
      const account = accounts.get(username)
      const isRight = account && timingSafeEqual(hashOf(password, account.salt), account.passwordHash)
      return isRight ? begin(account) : undefined
    },

    /** Whoever a `Cookie` header belongs to, as the forge takes them; null for whoever is not signed in. */
    identityBehind(cookie = ''): Identity {
      const session = /(?:^|; )session=([\w-]+)/.exec(cookie)?.[1] ?? ''
      const account = signedIn.get(session)
      return account ? identityOf(account) : null
    },
  }
}
