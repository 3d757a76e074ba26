import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../../src-shared/failure.ts'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import { MORNING, PLACE } from '../../../tools/outbox-with.ts'
import { sentCase } from '../../../tools/sent-case.ts'
import { partsWith } from './parts-with.ts'

const SERVICE = { baseUrl: 'https://service.example/api', clientId: 'clinic' }

describe('the cases of the service', () => {
  it('are listed with our submissions beside them, and kept for a moment', async () => {
    const test = await partsWith()
    const id = sentCase(test, '77')
    test.service.addCase({ caseId: '77', historyNumber: 'H-9' }, null)
    test.service.addCase({ caseId: '78', lastName: 'Müller' }, null)
    const list = (input: object): Promise<unknown> => test.call('cases.list', input)
    expect(await list({})).toMatchObject({
      value: {
        items: [
          {
            caseId: '77',
            submissionId: id,
            reference: test.outbox.submissions.get(id)?.reference,
            hasReport: false,
          },
          { caseId: '78', submissionId: null, reference: null, hasReport: false },
        ],
        readAt: MORNING,
        centerId: null,
      },
    })
    expect(await list({ search: 'müller' })).toMatchObject({ value: { items: [{ caseId: '78' }] } })
    expect(await list({ search: 'nobody' })).toMatchObject({ value: { items: [] } })
    expect(test.service.asked).toEqual(['list'])
    await list({ refresh: true })
    await test.clock.turn(30_000)
    await list({})
    expect(test.service.asked).toEqual(['list', 'list', 'list'])
  })

  it('are asked for one by one under the center that they were made for', async () => {
    const test = await partsWith({ centerId: '101' })
    sentCase(test, '77', '102')
    test.service.addCase({ caseId: '77' }, '102')
    expect(await test.call('cases.get', { id: '77' })).toMatchObject({ value: { caseId: '77' } })
    expect(test.done.at(-1)).toBe('ask under 102')
    expect(await test.call('cases.get', { id: '99' })).toMatchObject({ failure: { kind: 'notFound' } })
    expect(test.done.at(-1)).toBe('ask under 101')
  })

  it('cannot be had without a service', async () => {
    const test = await partsWith()
    test.hasDelivery = false
    for (const [name, input] of [
      ['cases.list', {}],
      ['cases.get', { id: '1' }],
      ['centers.list', {}],
      ['service.test', {}],
    ] as const)
      expect(await test.call(name, input)).toMatchObject({ failure: { kind: 'serviceNotSet' } })
  })
})

describe('a trial of the service', () => {
  it('shows the kept secret to no other address than the one it was entered for', async () => {
    const test = await partsWith()
    const other = { ...SERVICE, baseUrl: 'https://elsewhere.example/' }
    expect(await test.call('service.test', { service: other })).toMatchObject({
      failure: { kind: 'badRequest' },
    })
    expect(test.service.asked).toEqual([])
  })

  it('of what is set is made with the kept secret, and never with the one of a file that names another service', async () => {
    const { service } = settingsSchema.parse({ service: { ...SERVICE, clientSecret: 'of the file' } })
    const test = await partsWith(service && { service })
    await test.call('service.test', {})
    expect(test.done.filter((what) => what.startsWith('try'))).toEqual(['try with the kept secret'])
  })

  it('keeps clear of the cases under way where it signs in with their credentials, and only there', async () => {
    const test = await partsWith()
    const own = { baseUrl: PLACE.baseUrl, clientId: PLACE.clientId, clientSecret: 's' }
    for (const service of [own, { ...own, clientId: 'another' }]) await test.call('service.test', { service })
    expect(test.done.filter((what) => what === 'apart')).toHaveLength(1)
  })

  it('passes step by step, and closes its client', async () => {
    const test = await partsWith()
    const passed = { kind: 'passed' }
    expect(await test.call('service.test', { service: { ...SERVICE, clientSecret: 's' } })).toMatchObject({
      value: { reachable: passed, signedIn: passed, centersListed: passed, centers: [] },
    })
    expect(test.service.asked.at(-1)).toBe('closed')
  })

  it.each([
    ['offline', 'failed', 'notTried'],
    ['notTrusted', 'failed', 'notTried'],
    ['signedOut', 'passed', 'failed'],
    ['throttled', 'passed', 'failed'],
  ] as const)('that ends with %s: reachable %s, signed in %s', async (kind, reachable, signedIn) => {
    const test = await partsWith()
    test.service.trouble = failureOf(kind)
    expect(await test.call('service.test', { service: { ...SERVICE, clientSecret: 's' } })).toMatchObject({
      value: {
        reachable: { kind: reachable },
        signedIn: { kind: signedIn },
        centersListed: { kind: 'notTried' },
      },
    })
    expect(test.service.asked.at(-1)).toBe('closed')
  })
})
