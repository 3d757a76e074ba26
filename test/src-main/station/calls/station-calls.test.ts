import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../../src-shared/failure.ts'
import { MORNING } from '../../../tools/outbox-with.ts'
import { partsWith } from './parts-with.ts'

const SERVICE = { baseUrl: 'https://service.example/api', clientId: 'clinic' }

describe('a pause', () => {
  it('lasts until somebody ends it, or for so many seconds, and stands in the trail', async () => {
    const test = await partsWith()
    await test.call('station.pause', {})
    await test.call('station.pause', { seconds: 90 })
    await test.call('station.resume', {})
    expect(test.done).toEqual(['pause untilResumed', `pause ${MORNING + 90_000}`, 'pause null', 'retryNow'])
    expect(test.outbox.audit.list({ limit: 9 }).map(({ what }) => what)).toEqual([
      'resumed',
      'paused',
      'paused',
    ])
  })
})

describe('the settings', () => {
  it('are changed by section, applied, and never show the secret', async () => {
    const test = await partsWith()
    const answer = await test.call('settings.update', {
      service: { ...SERVICE, clientSecret: 'very secret' },
      requiredFields: ['age'],
    })
    expect(answer).toMatchObject({
      ok: true,
      value: { service: { ...SERVICE, hasClientSecret: true }, requiredFields: ['age'] },
    })
    expect(test.done).toEqual(['apply service'])
    expect(
      JSON.stringify([answer, await test.call('settings.get', {}), test.outbox.audit.list({ limit: 9 })]),
    ).not.toContain('very secret')
    expect(test.outbox.audit.list({ limit: 1 })).toMatchObject([
      { what: 'settingsChanged', details: { sections: ['service', 'requiredFields'] } },
    ])
  })

  it('of a service without any secret are refused, and nothing is applied', async () => {
    const test = await partsWith()
    expect(await test.call('settings.update', { service: SERVICE })).toMatchObject({
      failure: { kind: 'badRequest' },
    })
    expect(test.done).toEqual([])
  })

  it('of the center are changed by a call of their own, and that stands in the trail, too', async () => {
    const test = await partsWith({ centerId: '101' })
    expect(await test.call('centers.change', { centerId: '102' })).toMatchObject({ ok: true })
    expect(await test.call('settings.get', {})).toMatchObject({ value: { centerId: '102' } })
    expect(test.done.filter((what) => what.startsWith('apply'))).toEqual(['apply'])
    expect(test.outbox.audit.list({ limit: 1 })).toMatchObject([{ what: 'settingsChanged' }])
  })

  it.each<[string, string[] | null, string, boolean]>([
    ['one of the list', ['101', '102'], '102', true],
    ['one that the list does not know', ['101', '102'], '103', false],
    ['any, where the list cannot be read, and the trail says so', null, '103', true],
    ['any, where the list names none', [], '103', true],
  ])('of the center take %s', async (_name, listed, centerId, isTaken) => {
    const test = await partsWith({ centerId: '101' })
    test.service.listCenters = () =>
      Promise.resolve(
        listed === null
          ? { ok: false, failure: failureOf('notAnswering') }
          : { ok: true, value: listed.map((id) => ({ centerId: id, name: null, isCurrent: null })) },
      )
    const answer = await test.call('centers.change', { centerId, by: 'AB', why: 'moved' })
    const kept = { value: { centerId: isTaken ? centerId : '101' } }
    expect(await test.call('settings.get', {})).toMatchObject(kept)
    if (!isTaken) {
      const message = expect.stringContaining('nothing was changed') as string
      expect(answer).toMatchObject({ failure: { kind: 'badRequest', message } })
      expect(test.outbox.audit.list({ limit: 1 })).toEqual([])
    } else
      expect(test.outbox.audit.list({ limit: 1 })).toMatchObject([
        { by: 'AB', details: { centerId, why: 'moved', isListed: (listed ?? []).length > 0 } },
      ])
  })
})

it('ends the station where somebody asks for it', async () => {
  const test = await partsWith()
  expect(await test.call('station.stop', {})).toMatchObject({ ok: true })
  expect(test.done).toEqual(['stop'])
})

it('decides about files of a watched folder only', async () => {
  const test = await partsWith()
  expect(await test.call('folders.decideExisting', { path: '/none', existing: 'include' })).toMatchObject({
    failure: { kind: 'notFound' },
  })
  expect(await test.call('folders.countExisting', { path: '/none' })).toMatchObject({
    failure: { kind: 'notFound' },
  })
})

it('counts the old files of a folder, and takes those since a day', async () => {
  const test = await partsWith()
  await test.call('settings.update', { folders: [{ path: '/exports', existing: 'ask' }] })
  const at = new Date(2026, 10, 1).getTime()
  for (const [relativePath, mtimeMs] of [
    ['old.jpg', at - 1],
    ['new.jpg', at],
  ] as const)
    test.outbox.files.markSeen(
      { folderPath: '/exports', relativePath, sizeBytes: 1, mtimeMs },
      'ignored',
      null,
      1,
    )
  const since = '2026-11-01'
  expect(await test.call('folders.countExisting', { path: '/exports', since })).toEqual({
    ok: true,
    value: { count: 2, sinceCount: 1, oldestAt: at - 1, newestAt: at },
  })
  const decision = { path: '/exports', existing: 'since', since }
  expect(await test.call('folders.decideExisting', decision)).toMatchObject({ ok: true })
  expect(await test.call('folders.countExisting', { path: '/exports' })).toMatchObject({
    value: { count: 1 },
  })
})
