import { afterEach, beforeEach, expect, it } from 'vitest'
import { slowDown } from '../practice-service/faults.ts'
import { until } from '../station-process/start-station.ts'
import { describeHosts, type HostedStation } from './station-hosts.ts'
import { exportSmallVisit, setFixtureFor, type StationFixture } from './station-fixture.ts'

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
})
