import { createPlatform, isPlatformError, postgres, sqlite } from '@forgelet/core'

/**
 * Commits to the default branch of `acme/web` until it is killed. Prints each commit before it is made, and again with its id
 * after it was acknowledged. Arguments: a file or a `postgres://` URL, the folder of repositories, and a prefix of messages.
 */
const [source = '', repositories = '', prefix = ''] = process.argv.slice(2)
const store = source.startsWith('postgres:') ? postgres(source) : sqlite(source)
const alice = createPlatform(store, { repositories }).as({ user: 'alice' })

for (let count = 1; ; count++) {
  const message = `${prefix}-${count}`
  process.stdout.write(`open ${message}\n`)
  try {
    const files = [{ path: `${prefix}.txt`, content: message }]
    const { ids } = await alice.commits.import({ project: 'acme/web', commits: [{ message, files }] })
    process.stdout.write(`done ${message} ${ids[0]}\n`)
  } catch (error) {
    if (!isPlatformError(error) || !['conflict', 'unavailable'].includes(error.code)) throw error
    process.stdout.write(`${error.code} ${message}\n`)
  }
}
