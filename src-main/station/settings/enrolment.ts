/** Applies an enrolment file to the station and erases its secret if permitted. */
import { readFile, unlink, writeFile } from 'node:fs/promises'
import type { ManagedFile } from '../../../src-shared/settings.ts'
import type { StationOptions } from '../api.ts'
import { errorCode } from '../lib/errors.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Logger } from '../ports.ts'
import { describeFault, unknownKeys } from './config-file.ts'
import { UNMANAGED } from './policy.ts'
import {
  type EnrolmentContent,
  enrolmentSchema,
  type EnrolOutcome,
  openSettingsStore,
  type SettingsStore,
} from './settings.ts'

type EnrolmentDisk = {
  unlink(path: string): Promise<void>
  writeFile(path: string, text: string): Promise<void>
}

/** Never rejects for the file. `file`: null without one; `changed`: the sections it changed, for the trail. */
export async function applyEnrolment(options: {
  readonly path: string
  /** True if the path was named explicitly, so that the file must exist; the default path may be empty. */
  readonly isExpected: boolean
  readonly store: Pick<SettingsStore, 'enrol'>
  readonly logger: Logger
  /** Replaced only in tests: a user with all permissions can remove every file. */
  readonly disk?: EnrolmentDisk
}): Promise<{ readonly file: ManagedFile | null; readonly changed: readonly string[] }> {
  const { path, logger } = options
  const managedFile = (state: ManagedFile['state'], more: Partial<ManagedFile> = {}): ManagedFile => ({
    kind: 'enrolment',
    path,
    state,
    inForce: state === 'taken' || state === 'left' ? 'this' : 'nothing',
    detail: null,
    unknownNames: [],
    ...more,
  })
  const reading = await readEnrolment(path)
  if (reading.kind === 'none') {
    if (!options.isExpected) return { file: null, changed: [] }
    // It was removed after it was applied; its path may stay configured.
    logger.info('there is no enrolment file')
    return { file: managedFile('none'), changed: [] }
  }
  if (reading.kind === 'unusable') {
    logger.warn('the enrolment file cannot be used', { because: reading.detail })
    return { file: managedFile('broken', { detail: reading.detail }), changed: [] }
  }
  if (reading.kind === 'emptied') return { file: managedFile('taken'), changed: [] }
  const { unknownNames } = reading
  const outcome = await options.store.enrol(reading.content).catch((error: unknown): EnrolOutcome => {
    // A disk that refuses the settings is reported by the storage monitor.
    if (isSystemError(error)) return 'failed'
    throw error
  })
  const sentence = SENTENCES[outcome]
  if (outcome === 'refused' || outcome === 'locked' || outcome === 'failed') {
    logger.warn(sentence)
    return { file: managedFile(outcome, { unknownNames }), changed: [] }
  }
  const isGone = await eraseSecret(path, options.disk)
  if (outcome === 'taken') logger.info(sentence)
  if (!isGone)
    logger.warn('the enrolment file could be neither removed nor emptied: the client secret still lies in it')
  const changed =
    outcome === 'taken' ? ['service', ...(reading.content.centerId === undefined ? [] : ['centerId'])] : []
  return { file: managedFile(isGone ? 'taken' : 'left', { unknownNames }), changed }
}

const SENTENCES: Readonly<Record<EnrolOutcome, string>> = {
  taken: 'the station was enrolled',
  again: 'the enrolment file was taken before',
  refused:
    'the enrolment file is for another service or center than the one that is enforced, so nothing of it was taken',
  locked: 'the safe for secrets is locked, so the enrolment file is taken at the next start',
  failed: 'what the enrolment file brings could not be kept, so it is taken at the next start',
}

type EnrolmentReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'emptied' }
  | { readonly kind: 'unusable'; readonly detail: string }
  | { readonly kind: 'read'; readonly content: EnrolmentContent; readonly unknownNames: string[] }

async function readEnrolment(path: string): Promise<EnrolmentReading> {
  try {
    const content: unknown = JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''))
    if (Object(content).enrolled === true) return { kind: 'emptied' }
    const read = enrolmentSchema.parse(content)
    return { kind: 'read', content: read, unknownNames: unknownKeys(content, read) }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { kind: 'none' }
    return { kind: 'unusable', detail: describeFault(error) }
  }
}

const EMPTIED = { enrolled: true } as const

/** True if the file was removed or emptied. A folder may forbid removing a file that can still be written. */
async function eraseSecret(path: string, disk: EnrolmentDisk = { unlink, writeFile }): Promise<boolean> {
  try {
    await disk.unlink(path)
    return true
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
  try {
    await disk.writeFile(path, `${JSON.stringify(EMPTIED)}\n`)
    return true
  } catch (error) {
    if (!isSystemError(error)) throw error
    return false
  }
}

function isSystemError(error: unknown): boolean {
  return errorCode(error) !== undefined
}

/** Opens the settings of a station with all managed files applied. Throws a StorageError if they cannot be read. */
export async function openSettings(
  { dataFolder, config, managed = UNMANAGED, ports }: StationOptions,
  outbox: Outbox,
): Promise<{ readonly settings: SettingsStore; readonly managedFiles: readonly ManagedFile[] }> {
  const { clock, logger, secrets } = ports
  const settings = await openSettingsStore({ dataFolder, config, policy: managed.policy, secrets, logger })
  if (config !== null && config.unknownNames.length > 0)
    logger.warn('names in the configuration file mean nothing', { names: config.unknownNames.join(', ') })
  if (managed.policy !== null && managed.policy.unknownNames.length > 0)
    logger.warn('names in the policy mean nothing', { names: managed.policy.unknownNames.join(', ') })
  if (managed.enrolment === null) return { settings, managedFiles: managed.files }
  const { file, changed } = await applyEnrolment({ ...managed.enrolment, store: settings, logger })
  if (changed.length > 0)
    outbox.appendAudit({
      at: clock.now(),
      submissionId: null,
      what: 'settingsChanged',
      details: { sections: changed, from: 'enrolment' },
    })
  return { settings, managedFiles: file === null ? managed.files : [...managed.files, file] }
}
