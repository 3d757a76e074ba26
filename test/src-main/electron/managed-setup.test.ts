/** From the files of an administrator to a station that obeys them. */
import { existsSync } from 'node:fs'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readCommandLine } from '../../../src-main/electron/command-line.ts'
import { readManagedSetup } from '../../../src-main/electron/managed-setup.ts'
import { answerCall } from '../../../src-main/station/calls/calls.ts'
import { openStation } from '../../../src-main/station/station.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { createMemorySecrets } from '../../tools/memory-secrets.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { recordingLogger } from './recording-logger.ts'
import { temporaryFolder } from './temporary-folder.ts'

const ME = process.getuid?.() ?? 0
const POLICY = {
  defaults: { requireBothEyes: true },
  enforced: { delivery: { concurrency: 1 }, service: { baseUrl: 'http://127.0.0.1:9' } },
  enrolment: 'rooms/3.json',
}
const ENROLMENT = {
  service: { baseUrl: 'http://127.0.0.1:9', clientId: 'room-3', clientSecret: 'hush hush' },
  centerId: '101',
}

it('a station obeys its policy and its enrolment from the first start on, also where the policy is lost', async () => {
  const folder = await temporaryFolder()
  const dataFolder = join(folder, 'data')
  const path = join(folder, 'policy.json')
  const enrolment = join(folder, 'rooms', '3.json')
  await mkdir(join(folder, 'rooms'))
  await writeFile(path, JSON.stringify(POLICY))
  await chmod(path, 0o644)
  await writeFile(enrolment, JSON.stringify(ENROLMENT))
  const secrets = createMemorySecrets()

  const start = async (words: readonly string[] = []) => {
    const { config, managed } = await readManagedSetup({
      commandLine: readCommandLine(words),
      dataFolder,
      platform: 'linux',
      programData: undefined,
      logger: recordingLogger(),
      policyAt: { path, administrator: ME },
    })
    const ports = stationPorts({ secrets })
    const station = await openStation({ dataFolder, config, managed, ports })
    onTestFinished(() => station.stop())
    const answer = (name: string, input: unknown = {}) =>
      answerCall(station.handlers, createRecordingLogger(), name, input)
    return { answer, log: ports.logger, stop: () => station.stop() }
  }

  const first = await start()
  expect(await first.answer('settings.get')).toMatchObject({
    value: {
      service: { clientId: 'room-3', hasClientSecret: true },
      centerId: '101',
      requireBothEyes: true,
      delivery: { concurrency: 1 },
      managed: { service: 'preset', delivery: 'enforced', requireBothEyes: 'preset' },
    },
  })
  expect(existsSync(enrolment)).toBe(false)
  expect(await first.answer('audit.list', { what: ['settingsChanged'] })).toMatchObject({
    value: { items: [{ details: { sections: ['service', 'centerId'], from: 'enrolment' } }] },
  })
  expect(await first.answer('settings.update', { requireBothEyes: false })).toMatchObject({ ok: true })
  expect(JSON.stringify([first.log.lines, await first.answer('settings.sources')])).not.toContain('hush')
  await first.stop()

  await rm(path)
  const second = await start(['--lang=es'])
  const { delivery } = await settingsOf(second.answer)
  expect(await second.answer('settings.update', { delivery: { ...delivery, concurrency: 8 } })).toMatchObject(
    {
      ok: false,
      failure: { kind: 'notAllowed' },
    },
  )
  expect(await second.answer('settings.sources')).toMatchObject({
    value: {
      items: expect.arrayContaining([
        { name: 'delivery.concurrency', value: 1, source: 'policyEnforced', isLocked: true },
        { name: 'requireBothEyes', value: false, source: 'person', isLocked: false },
        { name: 'centerId', value: '101', source: 'enrolment', isLocked: false },
        { name: 'language', value: 'es', source: 'commandLine', isLocked: true },
      ]) as unknown,
      // The enrolment was named, was taken, and is gone.
      files: [
        { kind: 'policy', path, state: 'none', inForce: 'lastKnown', detail: null, unknownNames: [] },
        { kind: 'enrolment', path: enrolment, state: 'none' },
      ],
    },
  })
}, 60_000)

async function settingsOf(
  answer: (name: string) => Promise<unknown>,
): Promise<{ readonly delivery: Readonly<Record<string, unknown>> }> {
  const { value } = (await answer('settings.get')) as {
    readonly value: { readonly delivery: Readonly<Record<string, unknown>> }
  }
  return value
}
