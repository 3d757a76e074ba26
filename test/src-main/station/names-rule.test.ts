import { expect, it, onTestFinished } from 'vitest'
import { answerCall } from '../../../src-main/station/calls/calls.ts'
import { openStation } from '../../../src-main/station/station.ts'
import { settingsSchema } from '../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { copyFixtureOutbox, fixtureExpectation } from '../../tools/fixture-outbox.ts'
import {
  addTestImage,
  addWaiting,
  MORNING,
  newSubmission,
  openTestOutbox,
  someBytes,
} from '../../tools/outbox-with.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

const configOf = (stated: Readonly<Record<string, unknown>>) => ({
  settings: settingsSchema.parse(stated),
  stated,
  enforced: [],
  unknownNames: [],
})

it('a station that sent on its own brings its old cases to review before it sends, and says why until it is read', async () => {
  const dataFolder = temporaryFolder()
  const test = openTestOutbox(dataFolder)
  const id = addWaiting(test)
  for (const image of test.outbox.images.rows(id))
    test.outbox.images.setEye(image.id, { eye: image.eye, source: 'fileName', statements: null })
  // As the migration leaves an outbox that was in use.
  test.outbox.facts.write('namesRule', 'due')
  test.close()
  const config = configOf({ folders: [{ path: temporaryFolder(), sendWithoutReview: true }] })

  const open = async () => {
    const logger = createRecordingLogger()
    const station = await openStation({ dataFolder, ports: { ...stationPorts(), logger }, config })
    onTestFinished(() => station.stop())
    return { station, logger, call: (name: string) => answerCall(station.handlers, logger, name, {}) }
  }
  const first = await open()
  expect(JSON.stringify(first.logger)).toContain('wait for a person from now on')
  expect(await first.call('station.status')).toMatchObject({
    value: { namesRule: 'new', counts: { waiting: 0, review: 1 } },
  })
  expect(await first.call('submissions.list')).toMatchObject({
    value: { items: [{ id, state: 'review', reasons: [{ kind: 'readFromNames' }] }] },
  })
  await first.station.stop()

  const second = await open()
  expect(JSON.stringify(second.logger)).not.toContain('wait for a person from now on')
  expect(await second.call('station.status')).toMatchObject({ value: { namesRule: 'new' } })
  expect(await second.call('station.noteNamesRule')).toMatchObject({
    ok: true,
    value: { namesRule: 'known' },
  })
  expect(await second.call('station.status')).toMatchObject({ value: { namesRule: 'known' } })
})

it('a case of which a unit changed while it could not be read says so at the start at which it can be', async () => {
  const dataFolder = temporaryFolder()
  const test = openTestOutbox(dataFolder)
  const fields = { history_number: 'H-1', visit_date: '2026-11-20', od_va: 0.8 }
  const sources = { history_number: 'person', visit_date: 'person', od_va: 'person' } as const
  const id = test.outbox.submissions.create(newSubmission({ folderPath: null, fields, sources }))
  for (const eye of ['right', 'left'] as const)
    addTestImage(test, id, { bytes: someBytes(), eye, eyeSource: 'person' })
  test.outbox.submissions.transition(id, 'gatheredForReview', {}, { at: MORNING })
  test.outbox.submissions.applyUnits({ vaUnit: 'decimal', prismBase: 'examiner' }, MORNING)
  test.outbox.quarantine.add(id, 'images.eye')
  test.outbox.submissions.applyUnits({ vaUnit: 'logMAR', prismBase: 'examiner' }, MORNING)
  test.close()
  const config = configOf({ clinical: { vaUnit: 'logMAR', prismBase: 'examiner' } })
  const station = await openStation({ dataFolder, ports: stationPorts(), config, startAs: 'safe' })
  onTestFinished(() => station.stop())
  const answer = await answerCall(station.handlers, createRecordingLogger(), 'submissions.get', { id })
  const wording = { key: 'intake:warning.otherUnit' }
  expect(answer).toMatchObject({
    value: { state: 'review', fields: { od_va: 0.8 }, oddities: [{ field: 'od_va', wording }] },
  })
})

/** Made through operations of the outbox: nothing that was read proves what these rows say. */
const MADE_WITHOUT_RECORDS = /every kind of failure|postponed by the service|an image arrived/

it('the waiting cases of version 0.1 stay in the queue if data prove them or a person approved them', async () => {
  const dataFolder = copyFixtureOutbox()
  const station = await openStation({
    dataFolder,
    ports: stationPorts(),
    config: configOf({}),
    startAs: 'safe',
  })
  onTestFinished(() => station.stop())
  for (const { details, story } of fixtureExpectation().cases) {
    if (details.state !== 'waiting') continue
    const answer = await answerCall(station.handlers, createRecordingLogger(), 'submissions.get', {
      id: details.id,
    })
    const isNamesOnly =
      MADE_WITHOUT_RECORDS.test(story) || (story.includes('names only') && !story.includes('approved'))
    expect.soft(answer, story).toMatchObject({ value: { state: isNamesOnly ? 'review' : 'waiting' } })
  }
})
