/**
 * Replaces text that may name a person by pseudonyms in the diagnostics.
 *
 * Within one bundle the same text gets the same pseudonym, so that lines can be correlated. Two bundles do not match,
 * and names cannot be found by guessing, because the salt is discarded.
 */
import { createHmac, randomBytes } from 'node:crypto'

/** Extensions that only state a file type; any other may be part of a name. */
const FILE_EXTENSIONS = new Set(
  'jpg jpeg png tif tiff bmp jp2 dcm dicom zip pdf json csv xml txt html log tmp part'.split(' '),
)

export type Redactor = ReturnType<typeof createRedactor>

export function createRedactor(salt: Buffer = randomBytes(16)) {
  const people = new Map<string, string>()
  /** `#3fa2c1`, the same for the same text. */
  const pseudonym = (text: string): string =>
    `#${createHmac('sha256', salt).update(text).digest('hex').slice(0, 6)}`
  return {
    pseudonym,
    /** `jpg #3fa2c1`. */
    file: (name: string): string => {
      const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
      return `${FILE_EXTENSIONS.has(extension) ? extension : 'file'} ${pseudonym(name)}`
    },
    /** `drive C, 3 levels, #3fa2c1`: enough to distinguish folders and to see what kind of path it is. */
    path: (path: string): string => {
      const levels = path.split(/[\\/]+/).filter((part) => part !== '' && !/^[a-z]:$/i.test(part)).length
      return `${describeRoot(path)}, ${levels} ${levels === 1 ? 'level' : 'levels'}, ${pseudonym(path)}`
    },
    /** `person-1` for the first person. */
    person: (initials: string): string => {
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

/** The host and port of an address; the rest may contain a secret. */
export function hostOfAddress(address: string): string {
  return URL.canParse(address) ? new URL(address).host : 'no address'
}

/** True for a term of the program, such as `notAnswering` or `ECONNRESET`: no sentence, path, or name with spaces. */
export function isProgramTerm(text: string): boolean {
  return /^[a-z][\w.:-]{0,60}$/i.test(text)
}

/** True for an id made by a station: a UUID, or several of them. */
export function isOwnId(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}
