/** Images that come together are assigned with one commit, and none is in the way of another. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { markIn, picture, watchingCases } from './cases-with.ts'

it.each([
  { what: 'one cannot be assigned', fails: 'addImage', code: '', atFirst: 4 },
  { what: 'the disk is full for one', fails: 'markSeen', code: 'SQLITE_FULL', atFirst: 0 },
] as const)(
  'are acknowledged only with their commit: if $what, $atFirst are',
  async ({ fails, code, atFirst }) => {
    const station = await watchingCases()
    const names = Array.from({ length: 5 }, (_, at) => `v/501288_20261120_OD_${at}.png`)
    for (const name of names) await station.write(name)
    const act = station.test.outbox[fails] as (...values: readonly unknown[]) => unknown
    const failing = vi
      .spyOn(station.test.outbox, fails)
      .mockImplementation((...values: readonly unknown[]) => {
        if (JSON.stringify(values).includes('OD_2.png'))
          throw Object.assign(new Error('not this one'), { code })
        return act(...values)
      })
    station.emit(...names)
    await vi.waitFor(() => expect(station.cases.folders.status()[0]?.notes).toHaveLength(5 - atFirst), {
      timeout: 10_000,
    })
    expect(station.acknowledged).toHaveLength(atFirst)
    expect(station.open().flatMap(({ images }) => images)).toHaveLength(atFirst)
    failing.mockRestore()
    await station.see(...names.filter((name) => !station.acknowledged.includes(name)))
    expect(station.open().map(({ images }) => images.length)).toEqual([5])
  },
)

it('are acknowledged each, although what follows for the first of them fails', async () => {
  const station = await watchingCases()
  const names = Array.from({ length: 4 }, (_, at) => `v/501288_20261120_OD_${at}.png`)
  for (const name of names) await station.write(name)
  vi.spyOn(station.acknowledged, 'push').mockImplementationOnce(() => {
    throw new Error('not this one')
  })
  station.emit(...names)
  await vi.waitFor(() => expect(station.acknowledged).toHaveLength(3), { timeout: 10_000 })
  await station.see(...names.filter((name) => !station.acknowledged.includes(name)))
  expect(station.open().map(({ images }) => images.length)).toEqual([4])
})

it.each(['one by one', 'together'])(
  'of the same bytes under two patients in two folders become two cases: %s',
  async (how) => {
    const station = await watchingCases()
    const [bytes, other] = [await picture(), temporaryFolder()]
    await station.write('501288_20261120_OD.png', bytes)
    writeFileSync(join(other, '777102_20261120_OD.png'), bytes)
    station.emit('501288_20261120_OD.png')
    if (how === 'one by one') await vi.waitFor(() => expect(station.acknowledged).toHaveLength(1))
    const file = { ...markIn(other, '777102_20261120_OD.png'), content: 'image/png' } as const
    station.hear({ kind: 'settled', file })
    await vi.waitFor(() => expect(station.acknowledged).toHaveLength(2), { timeout: 10_000 })
    const numbers = station.open().map(({ fields }) => fields.history_number)
    expect(new Set(numbers)).toEqual(new Set(['501288', '777102']))
  },
)
