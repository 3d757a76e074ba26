import { rename } from 'node:fs/promises'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  writeBrokenSidecar,
  writeDamagedJpeg,
  writeImageWithoutEye,
  writeTextNamedJpeg,
  writeTruncatedJpeg,
} from '../camera/write-as-camera.ts'
import type { FileNote } from '../../src-shared/station-status.ts'
import { exportVisit } from '../camera/export-visit.ts'
import { until } from '../station-process/start-station.ts'
import { browserOf, openStages, type HostedStation } from './station-hosts.ts'
import { quickFolder, setFixtureFor, type StationFixture } from './station-fixture.ts'

const stages = await openStages()

/** The note on a file, once there is one of these kinds: what is seen between two steps of its writing has another. */
function noteOn(station: HostedStation, name: string, ...kinds: readonly FileNote['kind'][]) {
  return until(`${name} is noted as ${kinds.join(' or ')}`, async () => {
    const { folders } = await station.value('station.status')
    return folders
      .flatMap((folder) => folder.notes)
      .find(({ fileName, kind }) => fileName.endsWith(name) && kinds.includes(kind))
  })
}

function serviceFailure(station: HostedStation) {
  return until('the trouble is shown', async () => (await station.value('station.status')).service.failure)
}

describe.each(stages)(
  'bad input ends as a state and a sentence, and the other cases go on, $host.name',
  (stage) => {
    const { host } = stage
    const browser = browserOf(stage)
    if (!browser) return
    let fixture: StationFixture<HostedStation>
    beforeEach(async () => {
      fixture = await setFixtureFor((options) => host.start(options, browser))
    })
    afterEach(() => fixture.close())
    afterAll(() => browser.close())

    const size = { width: 320, height: 240 }
    const exportGood = (): Promise<unknown> =>
      exportVisit({ folder: fixture.camera, seed: 1, visitDate: '2026-11-20', sidecar: 'first', ...size })

    const goodIsSent = (station: HostedStation): Promise<unknown> =>
      until('the good case is sent', async () => {
        const { items } = await station.value('submissions.list', { state: ['sent'] })
        return items.find((item) => item.fields.history_number === 'H-00001')
      })

    it('an image whose rows cannot be decoded', async () => {
      const station = await fixture.start()
      await writeDamagedJpeg(fixture.camera)
      await exportGood()
      await noteOn(station, 'H-00903_20261120_OD_1.jpg', 'unreadable')
      await goodIsSent(station)
      expect(fixture.service.cases()).toHaveLength(1)
    })

    it('a wrong secret stops the sending, keeps the case, and is mended by the right one', async () => {
      const { baseUrl, clientId, clientSecret } = fixture.service
      const station = await fixture.start({ service: { baseUrl, clientId, clientSecret: 'not the secret' } })
      await exportGood()
      expect((await serviceFailure(station)).kind).toBe('signedOut')
      const status = await station.value('station.status')
      expect(status.mode).toMatchObject({ kind: 'paused', why: 'signedOut' })
      const { items } = await station.value('submissions.list')
      expect(items.map((item) => [item.state, item.attempts])).toEqual([['waiting', 0]])

      await station.value('settings.update', { service: { baseUrl, clientId, clientSecret } })
      await goodIsSent(station)
    })

    // What follows is the station's alone; above, a worker decodes and the host keeps the secret.
    if (host.kind === 'desktop') return

    it.each<readonly [string, (folder: string) => Promise<unknown>, name: string, FileNote['kind'][]]>([
      ['a file that is no image', writeTextNamedJpeg, 'H-00901_20261120_OD_1.jpg', ['notAnImage']],
      ['a truncated image', writeTruncatedJpeg, 'H-00902_20261120_OD_1.jpg', ['arriving', 'truncated']],
    ])('%s is noted, and never taken for an image', async (_, write, name, kinds) => {
      const station = await fixture.start()
      await write(fixture.camera)
      await exportGood()
      expect((await noteOn(station, name, ...kinds)).message.length).toBeGreaterThan(20)
      await goodIsSent(station)
      expect(fixture.service.cases()).toHaveLength(1)
    })

    it('an image whose eye nothing states waits for a person, and goes once the person has said it', async () => {
      const station = await fixture.start()
      await writeImageWithoutEye(fixture.camera)
      await exportGood()
      const item = await until('it asks for the eye', async () => {
        const { items } = await station.value('submissions.list', { state: ['incomplete'] })
        return items[0]
      })
      expect(item.reasons.map((reason) => reason.kind)).toContain('eyeUnknown')
      await goodIsSent(station)

      await station.value('submissions.update', {
        id: item.id,
        fields: { history_number: item.fields.history_number ?? 'H-00905' },
        images: item.images.map((image) => ({ id: image.id, eye: 'right' as const })),
      })
      await station.value('submissions.approve', { ids: [item.id] })
      await until(
        'it is sent',
        async () => (await station.value('submissions.get', { id: item.id })).state === 'sent',
      )
      const posted = fixture.service.journal.of('POST /cases').at(-1)
      expect(posted?.images[0]?.fileName).toBe(`${item.reference}_OD_1.jpg`)
    })

    it('a sidecar that does not parse', async () => {
      const station = await fixture.start()
      await writeBrokenSidecar(fixture.camera, 'H-00002_20261120/case.json')
      await exportVisit({
        folder: fixture.camera,
        seed: 2,
        visitDate: '2026-11-20',
        sidecar: 'none',
        ...size,
      })
      await exportGood()
      await noteOn(station, 'H-00002_20261120/case.json', 'sidecarUnreadable')
      const item = await until('its case asks a person', async () => {
        const { items } = await station.value('submissions.list', { state: ['incomplete'] })
        return items[0]
      })
      expect(item.reasons.map((reason) => reason.kind)).toEqual(['sidecarUnreadable'])
      await goodIsSent(station)
    })

    it('a folder that is missing, and comes back', async () => {
      const away = `${fixture.camera}-away`
      await exportGood()
      await rename(fixture.camera, away)
      const station = await fixture.start()
      const folder = await until('it is unreachable', async () => {
        const { folders } = await station.value('station.status')
        return folders.find((one) => one.health === 'unreachable')
      })
      expect(folder.failure?.kind).toBe('folderUnreachable')
      await rename(away, fixture.camera)
      await goodIsSent(station)
    })

    it('a wrong address is no service that is away, and nothing is sent to it', async () => {
      const { baseUrl, clientId, clientSecret } = fixture.service
      const station = await fixture.start({
        service: { baseUrl: `${baseUrl}/not/here`, clientId, clientSecret },
      })
      await exportGood()
      expect((await serviceFailure(station)).kind).toBe('wrongAddress')
      await until('the case waits', async () => {
        const { items } = await station.value('submissions.list')
        return items.map((item) => item.state).join() === 'waiting'
      })
      const tried = await station.value('service.test', { service: { baseUrl, clientId, clientSecret } })
      expect(tried.centersListed).toEqual({ kind: 'passed' })
    })

    it('a service that is away is waited for', async () => {
      const station = await fixture.start({ folders: [quickFolder(fixture.camera)] })
      await fixture.service.goAway()
      await exportGood()
      expect((await serviceFailure(station)).kind).toBe('notAnswering')
      await fixture.service.comeBack()
      await goodIsSent(station)
      expect(fixture.service.cases()).toHaveLength(1)
    })
  },
)
