import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { errorCode, isForLackOfSpace, isSafeSqlite } from '../../../../src-main/station/lib/errors.ts'
import { openingError, StorageError } from '../../../../src-main/station/lib/storage-faults.ts'

const errorOf = (code: unknown): Error => Object.assign(new Error('internal words'), { code })

it.each<[string, unknown, string | undefined]>([
  ['of the system', errorOf('ENOENT'), 'ENOENT'],
  ['of another thread, which is a plain object here', { code: 'EIO', message: 'no' }, 'EIO'],
  ['without one', new Error('no'), undefined],
  ['whose code is a number', errorOf(20), undefined],
  ['that is null', null, undefined],
  ['that is a text', 'ENOENT', undefined],
])('the code of an error %s', (_name, error, code) => {
  expect(errorCode(error)).toBe(code)
})

it.each([
  [errorOf('SQLITE_FULL'), true],
  [errorOf('SQLITE_IOERR_SHMSIZE'), true],
  [errorOf('ENOSPC'), true],
  [new StorageError('x', { cause: errorOf('SQLITE_FULL') }), true],
  [new StorageError('x', { cause: errorOf('SQLITE_CORRUPT') }), false],
  [errorOf('SQLITE_IOERR_FSYNC'), false],
  [new StorageError('x'), false],
  [null, false],
] as const)('%s is for lack of space: %s', (error, expected) => {
  expect(isForLackOfSpace(error)).toBe(expected)
})

describe('an error while opening', () => {
  it.each([
    ['SQLITE_BUSY', 'Another program'],
    ['SQLITE_BUSY_RECOVERY', 'Another program'],
    ['SQLITE_FULL', 'is full'],
    ['SQLITE_IOERR_SHMSIZE', 'is full'],
    ['ENOSPC', 'is full'],
    ['SQLITE_IOERR', 'disk of the data folder failed'],
    ['SQLITE_IOERR_READ', 'disk of the data folder failed'],
    ['SQLITE_IOERR_FSYNC', 'disk of the data folder failed'],
    ['EIO', 'disk of the data folder failed'],
    ['SQLITE_READONLY_DIRECTORY', 'cannot read and write'],
    ['SQLITE_CANTOPEN', 'cannot read and write'],
    ['EACCES', 'cannot read and write'],
    ['EROFS', 'cannot read and write'],
    ['SQLITE_CORRUPT_INDEX', 'damaged', 'recover'],
    ['SQLITE_NOTADB', 'damaged', 'recover'],
    ['SQLITE_MISUSE', 'cannot be used now'],
    ['SQLITE_NOMEM', 'Too little memory'],
    ['EBUSY', 'Another program, such as a virus scanner'],
    ['EMFILE', 'too many open files'],
    ['ENOMEM', 'Too little memory'],
    ['ENOENT', 'cannot be used now'],
  ] as const)('%s has a sentence: %s', (code, part, remedy: 'recover' | null = null) => {
    const cause = code.startsWith('SQLITE') ? new Database.SqliteError('internal words', code) : errorOf(code)
    const error = openingError(cause)
    if (!(error instanceof StorageError)) throw new Error('It has no sentence.')
    // Recovery sets the outbox aside, so it must never be offered for a sound one.
    expect([error.remedy, error.cause]).toEqual([remedy, cause])
    expect(error.message).toContain(part)
    expect(error.message).toMatch(/^[A-Z].*\.$/)
    expect(error.message).not.toContain('internal')
  })

  it.each([
    new StorageError('It is so.'),
    new TypeError('x'),
    'thrown words',
    Object.assign(new Error('x'), { code: 'ERR_INVALID_ARG_TYPE' }),
  ])('that has a sentence, or is a defect, stays as it is: %s', (error) => {
    expect(openingError(error)).toBe(error)
  })
})

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
])('SQLite %s is safe: %s', (version, isSafe) => {
  expect(isSafeSqlite(version)).toBe(isSafe)
})

it('the SQLite of this program is safe', () => {
  const sql = new Database(':memory:')
  expect(isSafeSqlite(sql.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '')).toBe(true)
  sql.close()
})
