/** The primary result codes of SQLite, in the order of their numbers: https://sqlite.org/rescode.html */
const primary =
  'OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB'.split(
    ' ',
  )

/** The extended codes that callers distinguish. Their lowest byte is the primary code. */
const extended: Readonly<Record<number, string>> = {
  778: 'IOERR_WRITE',
  1288: 'READONLY_CANTINIT',
  1544: 'READONLY_DIRECTORY',
  1555: 'CONSTRAINT_PRIMARYKEY',
  2067: 'CONSTRAINT_UNIQUE',
}

/** The name of a result code: `SQLITE_CONSTRAINT_UNIQUE` for 2067. */
export const toErrorCode = (resultCode: number): string =>
  `SQLITE_${extended[resultCode] ?? primary[resultCode & 0xff] ?? resultCode}`
