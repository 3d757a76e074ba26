import { createHash, randomFillSync } from 'node:crypto'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeAsCamera } from '../camera/write-as-camera.ts'
import { hang, slowDown } from '../practice-service/faults.ts'
import { until } from '../station-process/start-station.ts'
import { describeHosts, type HostedStation } from './station-hosts.ts'
import { exportSmallVisit, hashesOf, setFixtureFor, type StationFixture } from './station-fixture.ts'
import { TODAY, TODAY_IN_NAMES } from '../camera/today.ts'

/**
 * Some 36 MB of both eyes: more than what the buffers of Linux take off the station's hands, 32 MB to receive and 4 MB to
 * send. A body that fits into them may have been handed over when the station is killed.
 */
const HUGE = { width: 1_500, height: 2_000 } as const

/** The hashes of its images. Sixteen bits a channel: many bytes for few pixels to decode. */
async function exportHugeVisit(folder: string): Promise<readonly string[]> {
  const { width, height } = HUGE
  const eyes: Record<string, string> = {}
  const hashes: string[] = []
  for (const eye of ['OD', 'OS']) {
    const noise = new Uint16Array(width * height * 3)
    randomFillSync(noise)
    const picture = sharp(noise, { raw: { width, height, channels: 3 } }).toColourspace('rgb16')
    const bytes = await picture.tiff({ compression: 'none' }).toBuffer()
    const name = `H-00905_${TODAY_IN_NAMES}_${eye}_1.tif`
    await writeAsCamera(join(folder, `H-00905_${TODAY_IN_NAMES}/${name}`), bytes)
    eyes[name] = eye
    hashes.push(createHash('sha256').update(bytes).digest('hex'))
  }
  // Names alone never leave unseen: the data beside the images says whose they are.
  const stated = { history_number: 'H-00905', visit_date: TODAY, images: eyes }
  await writeAsCamera(
    join(folder, `H-00905_${TODAY_IN_NAMES}/case.json`),
    Buffer.from(JSON.stringify(stated)),
  )
  return hashes.toSorted()
}

async function onlyItem(station: HostedStation) {
  const { items } = await station.value('submissions.list')
  expect(items.length).toBeLessThanOrEqual(1)
  return items[0] ?? null
}

await describeHosts('a station that is killed', (host, browser) => {
  let fixture: StationFixture<HostedStation>
  beforeEach(async () => {
    fixture = await setFixtureFor((options) => host.start(options, browser))
  })
  afterEach(() => fixture.close())

  it('neither loses nor doubles a case when it was killed while the answer was on its way', async () => {
    fixture.service.faults.add('POST /cases', slowDown(60_000, 'done'), { times: 1 })
    await exportSmallVisit(fixture.camera, 6, { width: 160, height: 120 })
    const first = await fixture.start()
    await until('the case is stored', () => fixture.service.cases().length === 1)
    await first.kill()

    const second = await fixture.start()
    const item = await until('it was searched for', async () => {
      const one = await onlyItem(second)
      if (!one) return null
      const details = await second.value('submissions.get', { id: one.id })
      return details.evidence.length > 0 || one.state === 'sent' ? one : null
    })
    // A stingy service shows no reference: then a person decides, and nothing was sent again meanwhile.
    expect(['unconfirmed', 'sent']).toContain(item.state)
    expect(fixture.service.cases()).toHaveLength(1)

    const resolved = await second.ask('submissions.resolve', {
      id: item.id,
      delivered: true,
      caseId: String(fixture.service.cases()[0]?.id),
      by: 'TS',
    })
    if (item.state === 'unconfirmed') expect(resolved.ok).toBe(true)
    await until('it is sent', async () => (await onlyItem(second))?.state === 'sent')
    expect(fixture.service.cases()).toHaveLength(1)
  })

  it('amid the upload delivers the case once', async () => {
    fixture.service.faults.add('POST /cases', hang('body', 400_000), { times: 1 })
    const hashes = await exportHugeVisit(fixture.camera)
    const first = await fixture.start()
    await until('the upload is under way', () =>
      fixture.service.journal.of('POST /cases').some((entry) => entry.bodyBytes >= 400_000),
    )
    await first.kill()

    const second = await fixture.start()
    await until(
      'the case is sent',
      async () => (await second.value('submissions.list')).items[0]?.state === 'sent',
    )
    expect(fixture.service.cases()).toHaveLength(1)
    const stored = fixture.service.journal.of('POST /cases').filter((entry) => entry.caseId !== null)
    expect(stored.map((entry) => hashesOf(entry.images))).toEqual([hashes])
  })
})
