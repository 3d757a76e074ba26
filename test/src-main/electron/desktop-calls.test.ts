import { expect, it } from 'vitest'
import { withDesktopCalls } from '../../../src-main/electron/ipc.ts'
import { succeed } from '../../../src-shared/failure.ts'

it('keeps the language of the window for the host, and passes everything else on to the station', async () => {
  const chosen: unknown[] = []
  const asked: unknown[] = []
  const answer = withDesktopCalls(
    (name, input) => {
      asked.push([name, input])
      return Promise.resolve(succeed('of the station'))
    },
    { choose: (choice) => void chosen.push(choice) },
  )
  expect(await answer('desktop.speaks', 'es')).toEqual({ ok: true, value: {} })
  expect(await answer('station.status', {})).toEqual({ ok: true, value: 'of the station' })
  expect({ chosen, asked }).toEqual({ chosen: ['es'], asked: [['station.status', {}]] })
})
