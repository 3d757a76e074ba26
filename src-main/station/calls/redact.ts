/**
 * What stands in the diagnostics in place of words that may name somebody.
 *
 * The same thing gets the same mark within one bundle, so that lines can be put together; the marks of two bundles do
 * not agree, and nobody can find a name by trying names, because the salt is thrown away.
 */
import { createHmac, randomBytes } from 'node:crypto'

/** Endings that say what a file is; any other may be a part of a name. */
const FILE_EXTENSIONS = new Set(
  'jpg jpeg png tif tiff bmp jp2 dcm dicom zip pdf json csv xml txt html log tmp part'.split(' '),
)

export type Redactor = {
  /** `#3fa2c1`, the same for the same words. */
  pseudonym(words: string): string
  /** `jpg #3fa2c1`. */
  file(name: string): string
  /** `drive C, 3 levels, #3fa2c1`: enough to tell folders apart and to see what kind of place it is. */
  path(path: string): string
  /** `person-1` for whoever comes first. */
  person(initials: string): string
}

/** Creates the cover of one bundle. */
export function createRedactor(salt: Buffer = randomBytes(16)): Redactor {
  const people = new Map<string, string>()
  const pseudonym = (text: string): string =>
    `#${createHmac('sha256', salt).update(text).digest('hex').slice(0, 6)}`
  return {
    pseudonym,
    file: (name) => {
      const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
      return `${FILE_EXTENSIONS.has(extension) ? extension : 'file'} ${pseudonym(name)}`
    },
    path: (path) => {
      const levels = path.split(/[\\/]+/).filter((part) => part !== '' && !/^[a-z]:$/i.test(part)).length
      return `${describeRoot(path)}, ${levels} ${levels === 1 ? 'level' : 'levels'}, ${pseudonym(path)}`
    },
    person: (initials) => {
      const key = initials.trim().toLowerCase()
      const pseudonymOfPerson = people.get(key) ?? `person-${people.size + 1}`
      people.set(key, pseudonymOfPerson)
      return pseudonymOfPerson
    },
  }
}

function describeRoot(path: string): string {
  if (/^[\\/]{2}[^\\/]/.test(path)) return 'network share'
  const drive = /^([a-z]):/i.exec(path)?.[1]
  if (drive !== undefined) return `drive ${drive.toUpperCase()}`
  return path.startsWith('/') ? 'path' : 'relative path'
}

/** The host and port of an address; what stands before or behind them may be a secret. */
export function hostOfAddress(address: string): string {
  return URL.canParse(address) ? new URL(address).host : 'no address'
}

/** A word of the program, such as `notAnswering` or `ECONNRESET`: no sentence, no path and no name with spaces. */
export function isProgramTerm(text: string): boolean {
  return /^[a-z][\w.:-]{0,60}$/i.test(text)
}

/** An id that a station makes: a UUID, or several of them. */
export function isOwnId(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}
