import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { drawFundus } from '../camera/draw-fundus.ts'
import { writeAsCamera } from '../camera/write-as-camera.ts'
import { until } from '../station-process/start-station.ts'
import { describeHosts, type HostedStation } from './station-hosts.ts'
import { exportSmallVisit, setFixtureFor, type StationFixture } from './station-fixture.ts'

// What is the station's alone has tests of its own; here a worker decodes, and the host keeps the secret.
await describeHosts(
  'bad input ends as a state and a sentence, and the other cases go on',
  (host, browser) => {
    let fixture: StationFixture<HostedStation>
    beforeEach(async () => {
      fixture = await setFixtureFor((options) => host.start(options, browser))
    })
    afterEach(() => fixture.close())

    const goodIsSent = (station: HostedStation): Promise<unknown> =>
      until('the good case is sent', async () => {
        const { items } = await station.value('submissions.list', { state: ['sent'] })
        return items.find((item) => item.fields.history_number === 'H-00001')
      })

    it('an image whose rows cannot be decoded', async () => {
      const station = await fixture.start()
      const damaged = Buffer.from(await drawFundus({ eye: 'right', seed: 903, width: 320, height: 240 }))
      damaged.fill(0, Math.floor(damaged.length * 0.4), Math.floor(damaged.length * 0.7))
      await writeAsCamera(join(fixture.camera, 'H-00903_20261120_OD_1.jpg'), damaged)
      await exportSmallVisit(fixture.camera, 1)
      await until('it is noted', async () => {
        const { folders } = await station.value('station.status')
        return folders[0]?.notes.find(
          ({ fileName, kind }) => /H-00903/.test(fileName) && kind === 'unreadable',
        )
      })
      await goodIsSent(station)
      expect(fixture.service.cases()).toHaveLength(1)
    })

    it('a wrong secret stops the sending, keeps the case, and is mended by the right one', async () => {
      const { baseUrl, clientId, clientSecret } = fixture.service
      const station = await fixture.start({ service: { baseUrl, clientId, clientSecret: 'not the secret' } })
      await exportSmallVisit(fixture.camera, 1)
      const failure = await until(
        'the trouble is shown',
        async () => (await station.value('station.status')).service.failure,
      )
      expect(failure.kind).toBe('signedOut')
      const status = await station.value('station.status')
      expect(status.mode).toMatchObject({ kind: 'paused', why: 'signedOut' })
      const { items } = await station.value('submissions.list')
      expect(items.map((item) => [item.state, item.attempts])).toEqual([['waiting', 0]])

      await station.value('settings.update', { service: { baseUrl, clientId, clientSecret } })
      await goodIsSent(station)
    })
  },
)
