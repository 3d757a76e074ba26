import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exportFiles, layoutVisit } from '../../camera/layouts/layout.ts'
import { exportedAgain, wellNamedPhoto, wellNamedVisit } from '../../camera/layouts/all-layouts.ts'
import { until } from '../../station-process/start-station.ts'
import { browserOf, openStages, type HostedStation } from '../station-hosts.ts'
import { setFixtureFor, type StationFixture } from '../station-fixture.ts'

const stages = await openStages()

const visit = layoutVisit({ number: 601 })

describe.each(stages)('what the camera writes after a case was sent, $host.name', ({ host, opened }) => {
  const browser = browserOf({ host, opened })
  if (!browser) return
  let fixture: StationFixture<HostedStation>
  let station: HostedStation
  let sentId: string
  beforeEach(async () => {
    fixture = await setFixtureFor((options) => host.start(options, browser))
    station = await fixture.start()
    await exportFiles(fixture.camera, wellNamedVisit(visit))
    // Only names say whose it is, so a person sends it.
    const checked = await until('the case waits for a person', async () => {
      const { items } = await station.value('submissions.list', { state: ['review'] })
      return items[0]
    })
    await station.value('submissions.approve', { ids: [checked.id] })
    const sent = await until('the case is sent', async () => {
      const { items } = await station.value('submissions.list', { state: ['sent'] })
      return items[0]
    })
    sentId = sent.id
  })
  afterEach(() => fixture.close())
  afterAll(() => browser.close())

  it('a new image opens an addendum that waits for a person, and the sent case stays as it was', async () => {
    const late = wellNamedPhoto(visit, { eye: 'right', index: 2 })
    await exportFiles(fixture.camera, [late])
    const addendum = await until('a person is asked', async () => {
      const { items } = await station.value('submissions.list', { state: ['incomplete'] })
      return items[0]
    })
    expect(addendum.reasons.map(({ kind }) => kind)).toEqual(['lateImage'])
    expect(addendum.images.map(({ fileName }) => fileName)).toEqual([late.relativePath])
    expect(addendum.fields.history_number).toBe('H-00601')
    const sent = await station.value('submissions.get', { id: sentId })
    expect([sent.state, sent.images.length]).toEqual(['sent', 2])
    expect(fixture.service.cases()).toHaveLength(1)

    await station.value('submissions.approve', { ids: [addendum.id] })
    await until(
      'the addendum is sent',
      async () => (await station.value('submissions.get', { id: addendum.id })).state === 'sent',
    )
    expect(fixture.service.cases()).toHaveLength(2)
  })

  it('the same image under another name is noted with the case that it is part of, and opens nothing', async () => {
    const [right] = wellNamedVisit(visit)
    const copy = exportedAgain(right, `again/${right.relativePath}`)
    await exportFiles(fixture.camera, [copy])
    const note = await until('it is noted', async () => {
      const { folders } = await station.value('station.status')
      return folders[0]?.notes.find(({ fileName }) => fileName === copy.relativePath)
    })
    const { reference } = await station.value('submissions.get', { id: sentId })
    expect(note).toMatchObject({ kind: 'duplicate', message: expect.stringContaining(reference) })
    expect((await station.value('submissions.list')).total).toBe(1)
  })
})
