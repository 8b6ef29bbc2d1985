import pg from 'pg'

/** Runs statements on a connection of their own. */
export const executeOn = async (url: string, statements: string): Promise<void> => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}

/** Creates a database on a PostgreSQL server, empty or as a copy of another one. Returns its URL. */
export const createDatabase = async (server: string, name: string, template = 'template1'): Promise<string> => {
  await executeOn(`${server}/postgres`, `create database ${name} template ${template}`)
  return `${server}/${name}`
}

/** Drops a database. Fails while it has open connections, unless `options` contain `with (force)`. */
export const dropDatabase = (server: string, name: string, options = ''): Promise<void> =>
  executeOn(`${server}/postgres`, `drop database ${name} ${options}`)
