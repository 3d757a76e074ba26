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
  return until(`${name} is told as ${kinds.join(' or ')}`, async () => {
    const { folders } = await station.value('station.status')
    return folders
      .flatMap((folder) => folder.notes)
      .find(({ fileName, kind }) => fileName.endsWith(name) && kinds.includes(kind))
  })
}

function serviceFailure(station: HostedStation) {
  return until('the trouble is told', async () => (await station.value('station.status')).service.failure)
}

describe.each(stages)(
  'bad input ends as a state and a sentence, and the other cases go on, $host.name',
  (stage) => {
    const { host } = stage
    const browser = browserOf(stage)
    if (!browser) return
    let scene: StationFixture<HostedStation>
    beforeEach(async () => {
      scene = await setFixtureFor((given) => host.start(given, browser))
    })
    afterEach(() => scene.close())
    afterAll(() => browser.close())

    const exportGood = (): Promise<unknown> =>
      exportVisit({
        folder: scene.camera,
        seed: 1,
        visitDate: '2026-11-20',
        sidecar: 'first',
        width: 320,
        height: 240,
      })

    const goodIsSent = (station: HostedStation): Promise<unknown> =>
      until('the good case is sent', async () => {
        const { items } = await station.value('submissions.list', { state: ['sent'] })
        return items.find((item) => item.fields.history_number === 'H-00001')
      })

    it('an image whose rows cannot be decoded', async () => {
      const station = await scene.start()
      await writeDamagedJpeg(scene.camera)
      await exportGood()
      await noteOn(station, 'H-00903_20261120_OD_1.jpg', 'unreadable')
      await goodIsSent(station)
      expect(scene.service.cases()).toHaveLength(1)
    })

    it('a wrong secret stops the sending, keeps the case, and is mended by the right one', async () => {
      const { baseUrl, clientId, clientSecret } = scene.service
      const station = await scene.start({ service: { baseUrl, clientId, clientSecret: 'not the secret' } })
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

    it('a file that is no image', async () => {
      const station = await scene.start()
      await writeTextNamedJpeg(scene.camera)
      await exportGood()
      const note = await noteOn(station, 'H-00901_20261120_OD_1.jpg', 'notAnImage')
      expect(note.message.length).toBeGreaterThan(20)
      await goodIsSent(station)
    })

    it('a truncated image, which is never taken for a whole one', async () => {
      const station = await scene.start()
      await writeTruncatedJpeg(scene.camera)
      await exportGood()
      await noteOn(station, 'H-00902_20261120_OD_1.jpg', 'arriving', 'truncated')
      await goodIsSent(station)
      expect(scene.service.cases()).toHaveLength(1)
    })

    it('an image whose eye nothing states waits for a person, and goes once the person has said it', async () => {
      const station = await scene.start()
      await writeImageWithoutEye(scene.camera)
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
      const posted = scene.service.journal.of('POST /cases').at(-1)
      expect(posted?.images[0]?.fileName).toBe(`${item.reference}_OD_1.jpg`)
    })

    it('a sidecar that does not parse', async () => {
      const station = await scene.start()
      await writeBrokenSidecar(scene.camera, 'H-00002_20261120/case.json')
      await exportVisit({
        folder: scene.camera,
        seed: 2,
        visitDate: '2026-11-20',
        sidecar: 'none',
        width: 320,
        height: 240,
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
      const away = `${scene.camera}-away`
      await exportGood()
      await rename(scene.camera, away)
      const station = await scene.start()
      const folder = await until('it is unreachable', async () => {
        const { folders } = await station.value('station.status')
        return folders.find((one) => one.health === 'unreachable')
      })
      expect(folder.failure?.kind).toBe('folderUnreachable')
      await rename(away, scene.camera)
      await goodIsSent(station)
    })

    it('a wrong address is told from a service that is away, and nothing is sent to it', async () => {
      const { baseUrl, clientId, clientSecret } = scene.service
      const station = await scene.start({
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
      const station = await scene.start({ folders: [quickFolder(scene.camera)] })
      await scene.service.goAway()
      await exportGood()
      expect((await serviceFailure(station)).kind).toBe('notAnswering')
      await scene.service.comeBack()
      await goodIsSent(station)
      expect(scene.service.cases()).toHaveLength(1)
    })
  },
)
