import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isReference } from '../../src-shared/reference.ts'
import { openByTheBookService, type ByTheBookService } from '../by-the-book-service/by-the-book-service.ts'
import type { ExportedVisit } from '../camera/export-visit.ts'
import { until } from '../station-process/start-station.ts'
import { describeHosts, type HostedStation } from './station-hosts.ts'
import { exportSmallVisit, hashesOf, quickFolder, temporaryFolders } from './station-fixture.ts'

await describeHosts('a service that shares nothing with the practice service', (host, browser) => {
  let root: string
  let service: ByTheBookService
  let station: HostedStation
  const visits: ExportedVisit[] = []

  beforeAll(async () => {
    const folders = await temporaryFolders()
    root = folders.root
    service = await openByTheBookService()
    const { baseUrl, clientId, clientSecret } = service
    station = await host.start(
      {
        dataFolder: folders.dataFolder,
        parameters: [],
        config: {
          service: { baseUrl, clientId, clientSecret },
          centerId: 'B9',
          folders: [quickFolder(folders.camera)],
          reports: { checkSeconds: 0.3 },
        },
      },
      browser,
    )
    for (const seed of [1, 2, 3]) {
      visits.push(
        await exportSmallVisit(folders.camera, seed, {
          layout: 'nested',
          sidecar: seed === 2 ? 'last' : 'first',
          names: seed === 3 ? 'counter' : 'eye',
        }),
      )
    }
    await until('all cases are sent and have their reports', async () => {
      const { items } = await station.value('submissions.list')
      return items.length === visits.length && items.every((item) => item.state === 'sent' && item.hasReport)
    })
  })

  afterAll(async () => {
    await station.stop()
    await service.close()
    await rm(root, { recursive: true, force: true })
  })

  it('takes every request by the book', () => {
    expect(service.refusals()).toEqual([])
    expect(service.cases()).toHaveLength(visits.length)
  })

  it('has every case under its center, every field under its exact name, and every image byte for byte', () => {
    expect(service.cases().map((one) => one.centerId)).toEqual(visits.map(() => 'B9'))
    for (const { patient, visitDate, images } of visits) {
      const arrived = service
        .cases()
        .find((one) => new Map(one.fields).get('history_number') === patient.history_number)
      const fields = new Map(arrived?.fields)
      const reference = fields.get('other_relevant_info')?.split('\n').at(-1) ?? ''
      expect(isReference(reference)).toBe(true)
      const expected = new Map(
        Object.entries({ ...patient, visit_date: visitDate }).map(([name, value]) => [name, String(value)]),
      )
      const ownText = expected.get('other_relevant_info')
      expected.set('other_relevant_info', ownText === undefined ? reference : `${ownText}\n${reference}`)
      expect(Object.fromEntries(fields)).toEqual(Object.fromEntries(expected))
      expect(hashesOf(arrived?.images ?? [])).toEqual(hashesOf(images))
      for (const { fileName, sha256 } of arrived?.images ?? []) {
        const eye = images.find((image) => image.sha256 === sha256)?.eye === 'right' ? 'OD' : 'OS'
        expect(fileName).toMatch(new RegExp(`^FC[0-9A-Z]{9}_${eye}_\\d\\.jpg$`))
      }
    }
  })

  it('gave reports that the station shows', async () => {
    const { items } = await station.value('submissions.list')
    for (const item of items) {
      const report = await station.value('reports.get', { caseId: item.caseId ?? '' })
      expect(report.versions.map((version) => version.kind)).toEqual(['json'])
    }
  })
})
