import { afterEach, describe, expect, it } from 'vitest'
import { type TestIntake, watchingIntake } from './intake-with.ts'

const CASE = { history_number: 'H-00017', first_name: 'Synthia', visit_date: '2026-11-20' }
const asBytes = (content: unknown): Uint8Array => Buffer.from(JSON.stringify(content))

let station: TestIntake
afterEach(() => station.intake.close())

describe('a sidecar', () => {
  it.each(['first', 'last'] as const)(
    'that comes %s makes its folder one case, whatever the names say',
    async (when) => {
      station = await watchingIntake({ sendWithoutReview: true })
      const names = ['case-7/0001.png', 'case-7/0002.png']
      for (const name of names) await station.write(name)
      await station.write(
        'case-7/case.json',
        asBytes({ ...CASE, images: { '0001.png': 'OD', '0002.png': 'OS' } }),
      )
      await station.see(
        ...(when === 'first' ? ['case-7/case.json', ...names] : [...names, 'case-7/case.json']),
      )
      await station.quiet()
      const open = station.all().filter((one) => one.state !== 'discarded')
      expect(open.map((one) => [one.state, one.images.map((image) => image.eye)])).toEqual([
        ['waiting', ['right', 'left']],
      ])
      expect(open[0]?.fields).toMatchObject(CASE)
    },
  )

  it('reaches the images that a folder below it only divides by eye', async () => {
    station = await watchingIntake({ sendWithoutReview: true })
    await station.write('visit/OD/1.png')
    await station.write('visit/case.json', asBytes({ ...CASE, images: { 'OD/1.png': 'OD' } }))
    await station.see('visit/case.json', 'visit/OD/1.png')
    await station.quiet()
    expect(station.all()[0]).toMatchObject({ state: 'waiting', fields: CASE })
  })

  it('of another patient than the folder asks a person, with both', async () => {
    station = await watchingIntake({ sendWithoutReview: true })
    await station.write('H-00018_20261120/OD_1.png')
    await station.write('H-00018_20261120/case.json', asBytes(CASE))
    await station.see('H-00018_20261120/case.json', 'H-00018_20261120/OD_1.png')
    await station.quiet()
    const [submission] = station.all()
    expect(submission?.state).toBe('incomplete')
    expect(submission?.reasons[0]).toMatchObject({
      kind: 'identityConflict',
      message: expect.stringMatching(/H-00017.*H-00018/),
    })
  })

  it.each([
    ['of the one', 'H-00017'],
    ['of another spelling', '4711'],
  ])('beside the images of two patients asks a person, with the id %s', async (_what, historyNumber) => {
    for (const order of ['first', 'last'] as const) {
      station = await watchingIntake({ sendWithoutReview: true })
      const names = ['current/H-00017_OD_1.png', 'current/H-00018_OD_1.png']
      for (const name of names) await station.write(name)
      await station.write('current/case.json', asBytes({ ...CASE, history_number: historyNumber }))
      await station.see(
        ...(order === 'first' ? ['current/case.json', ...names] : [...names, 'current/case.json']),
      )
      await station.quiet()
      const open = station.all().filter((one) => one.state !== 'discarded')
      expect(open.map((one) => [one.state, one.reasons[0]?.kind])).toEqual([
        ['incomplete', 'identityConflict'],
      ])
    }
  })

  it('that is written anew for the next patient leaves the images of the one before alone', async () => {
    station = await watchingIntake({ sendWithoutReview: true })
    await station.write('current/case.json', asBytes({ ...CASE, images: { 'OD_1.png': 'OD' } }))
    await station.write('current/OD_1.png')
    await station.see('current/case.json', 'current/OD_1.png')
    await station.quiet()
    await station.write(
      'current/case.json',
      asBytes({
        ...CASE,
        history_number: 'H-00018',
        first_name: 'Placeba',
        images: { 'OD_2.png': 'OD' },
      }),
    )
    await station.write('current/OD_2.png')
    await station.see('current/case.json', 'current/OD_2.png')
    await station.quiet()
    expect(
      station
        .all()
        .map(({ state, fields, images }) => [state, fields.history_number, fields.first_name, images.length]),
    ).toEqual([
      ['waiting', 'H-00017', 'Synthia', 1],
      ['waiting', 'H-00018', 'Placeba', 1],
    ])
  })

  it('that is written anew while images still come asks whose those are', async () => {
    station = await watchingIntake({ sendWithoutReview: true })
    await station.write('current/case.json', asBytes(CASE))
    for (const name of ['current/OD_1.png', 'current/OD_2.png']) await station.write(name)
    await station.see('current/case.json', 'current/OD_1.png', 'current/OD_2.png')
    await station.arrive('current/case.json', asBytes({ ...CASE, history_number: 'H-00018' }))
    await station.quiet()
    expect(station.all().map((one) => [one.state, one.reasons[0]?.kind])).toEqual([
      ['incomplete', 'identityConflict'],
    ])
  })

  it('with thousands of rows keeps nobody waiting, and costs little when a row is added', async () => {
    station = await watchingIntake({ sendWithoutReview: true })
    const rows = Array.from({ length: 3_000 }, (_, index) => `H-${10_000 + index};2026-11-20;40`)
    const table = (more: readonly string[]): Uint8Array =>
      Buffer.from(['history_number;visit_date;age', ...rows, ...more, ''].join('\n'))
    await station.arrive('list.csv', table([]))
    await station.write('list.csv', table(['H-99999;2026-11-20;61']))
    await station.write('H-99999_20261120_OD_1.png')
    await station.see('list.csv', 'H-99999_20261120_OD_1.png')
    expect(station.all().map((one) => one.fields.age)).toEqual([61])
  })

  it('in a flat folder reaches the images that it names, and takes nothing from others', async () => {
    station = await watchingIntake({ sendWithoutReview: true })
    await station.write('case.json', asBytes({ ...CASE, images: { 'a1.png': 'OD' } }))
    await station.write('a1.png')
    await station.see('case.json', 'a1.png')
    await station.quiet()
    await station.write(
      'case.json',
      asBytes({ ...CASE, history_number: 'H-00018', images: { 'b1.png': 'OS' } }),
    )
    await station.write('b1.png')
    await station.see('case.json', 'b1.png')
    await station.quiet()
    expect(
      station.all().map(({ state, fields, images }) => [state, fields.history_number, images[0]?.eye]),
    ).toEqual([
      ['waiting', 'H-00017', 'right'],
      ['waiting', 'H-00018', 'left'],
    ])
  })

  it('never outweighs what a person has said', async () => {
    station = await watchingIntake()
    await station.arrive('H-00017_20261120/OD_1.png')
    await station.quiet()
    const one = station.all()[0]
    if (!one) throw new Error('there is one')
    station.test.outbox.submissions.setContent(
      one.id,
      { fields: { ...one.fields, age: 61 }, sources: { ...one.sources, age: 'person' }, reasons: [] },
      1,
    )
    await station.arrive('H-00017_20261120/case.json', asBytes({ ...CASE, age: 16 }))
    expect(station.all()[0]?.fields).toMatchObject({ age: 61, first_name: 'Synthia' })
  })
})
