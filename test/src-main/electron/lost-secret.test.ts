/** A secret that this account cannot open any more: a person signs in again, and nothing else is lost. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createSecrets, type Safe } from '../../../src-main/electron/secrets.ts'
import type { Station } from '../../../src-main/station/api.ts'
import { answerCall } from '../../../src-main/station/calls/calls.ts'
import { openStation } from '../../../src-main/station/station.ts'
import { systemClock } from '../../../src-main/station/ports.ts'
import { settingsSchema } from '../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { secretIn } from '../../tools/memory-secrets.ts'
import { addWaiting, openTestOutbox } from '../../tools/outbox-with.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { fakeSafe } from './fake-safe.ts'
import { recordingLogger } from './recording-logger.ts'
import { temporaryFolder } from './temporary-folder.ts'

const SERVICE = { baseUrl: 'http://127.0.0.1:9/', clientId: 'clinic' }

it.each<[string, Safe, object]>([
  [
    'lost',
    fakeSafe({ key: 17 }),
    {
      mode: { kind: 'paused', why: 'signedOut' },
      service: {
        failure: { kind: 'signedOut', message: expect.stringContaining('Enter the client secret again') },
      },
    },
  ],
  [
    'locked away for a while',
    fakeSafe({
      decryptStringAsync: () =>
        Promise.reject(
          new Error('safeStorage.decryptStringAsync is temporarily unavailable. Please try again.'),
        ),
    }),
    { mode: { kind: 'running' }, service: { failure: { kind: 'secretsLocked' } } },
  ],
])(
  'a secret that is %s stops the sending, says why and touches no case',
  async (what, later, expected) => {
    const folder = await temporaryFolder()
    const dataFolder = join(folder, 'data')
    const path = join(folder, 'secrets.json')
    const logger = recordingLogger()
    const secretsWith = (safe: Safe) =>
      createSecrets({ safe, path, platform: 'darwin', clock: systemClock, logger })
    const stated = { service: SERVICE }
    const config = { settings: settingsSchema.parse(stated), stated, enforced: [], unknownNames: [] }
    await secretsWith(fakeSafe()).write('clientSecret', 'as it was issued')
    const sealed = await readFile(path, 'utf8')
    const test = openTestOutbox(dataFolder)
    addWaiting(test)
    test.close()

    const ports = stationPorts({ secrets: secretsWith(later) })
    const station: Station = await openStation({ dataFolder, config, ports })
    onTestFinished(() => station.stop())
    const answer = (name: string, input: unknown = {}) =>
      answerCall(station.handlers, createRecordingLogger(), name, input)
    await expect.poll(() => answer('station.status'), { timeout: 10_000 }).toMatchObject({ value: expected })
    expect(await answer('station.status')).toMatchObject({ value: { counts: { waiting: 1 } } })
    expect(await answer('submissions.list')).toMatchObject({
      value: { total: 1, items: [{ state: 'waiting', attempts: 0 }] },
    })
    // What cannot be opened is left as it is: the keyring may come back.
    expect(await readFile(path, 'utf8')).toBe(sealed)

    if (what !== 'lost') return
    const service = { ...config.settings.service!, clientSecret: 'entered again' }
    expect(await answer('settings.update', { service })).toMatchObject({ ok: true })
    expect(await secretIn(ports.secrets)).toBe('entered again')
    await expect
      .poll(() => answer('station.status'), { timeout: 10_000 })
      .toMatchObject({ value: { mode: { kind: 'running' }, counts: { waiting: 1 } } })
  },
  60_000,
)
