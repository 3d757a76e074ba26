import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { isSafeSqlite, openingError, StorageError } from '../../../../src-main/station/lib/errors.ts'

describe('an error while opening', () => {
  it.each([
    ['SQLITE_BUSY', 'Another Fundus Courier'],
    ['SQLITE_BUSY_RECOVERY', 'Another Fundus Courier'],
    ['SQLITE_FULL', 'no space left'],
    ['SQLITE_IOERR_SHMSIZE', 'no space left'],
    ['ENOSPC', 'no space left'],
    ['SQLITE_IOERR', 'disk of the data folder failed'],
    ['SQLITE_IOERR_READ', 'disk of the data folder failed'],
    ['SQLITE_IOERR_FSYNC', 'disk of the data folder failed'],
    ['EIO', 'disk of the data folder failed'],
    ['SQLITE_READONLY_DIRECTORY', 'may not be read and written'],
    ['SQLITE_CANTOPEN', 'may not be read and written'],
    ['EACCES', 'may not be read and written'],
    ['EROFS', 'may not be read and written'],
    ['SQLITE_CORRUPT_INDEX', 'damaged', 'recover'],
    ['SQLITE_NOTADB', 'damaged', 'recover'],
    ['SQLITE_MISUSE', 'cannot be used now'],
    ['SQLITE_NOMEM', 'too little memory'],
    ['EBUSY', 'Another program, such as a virus scanner'],
    ['EMFILE', 'too many files open'],
    ['ENOMEM', 'too little memory'],
    ['ENOENT', 'cannot be used now'],
  ] as const)('%s is told in a sentence: %s', (code, words, remedy: 'recover' | null = null) => {
    const cause = code.startsWith('SQLITE')
      ? new Database.SqliteError('internal words', code)
      : Object.assign(new Error('internal words'), { code })
    const error = openingError(cause)
    if (!(error instanceof StorageError)) throw new Error('not told')
    // Whoever is offered a recovery of a sound outbox loses it.
    expect(error.remedy).toBe(remedy)
    expect(error.message).toContain(words)
    expect(error.message).toMatch(/^[A-Z].*\.$/)
    expect(error.message).not.toContain('internal')
    expect(error.cause).toBe(cause)
  })

  it('that has a sentence already keeps it', () => {
    const error = new StorageError('It is so.')
    expect(openingError(error)).toBe(error)
  })

  it.each([
    new TypeError('x'),
    'thrown words',
    Object.assign(new Error('x'), { code: 'ERR_INVALID_ARG_TYPE' }),
  ])('that is a defect stays one: %s', (defect) => {
    expect(openingError(defect)).toBe(defect)
  })
})

describe('the version of SQLite', () => {
  it.each([
    ['3.51.3', true],
    ['3.51.4', true],
    ['3.54.1', true],
    ['4.0.0', true],
    ['3.51.2', false],
    ['3.7.0', false],
    ['3.50.9', false],
    ['3.51', false],
    ['2.99.99', false],
    ['', false],
    ['new', false],
  ])('%s: %s', (version, isSafe) => {
    expect(isSafeSqlite(version)).toBe(isSafe)
  })

  it('of this program is safe', () => {
    const sql = new Database(':memory:')
    expect(isSafeSqlite(sql.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '')).toBe(true)
    sql.close()
  })
})
