import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { setStage } from './stage.ts'

const open = setStage()
/** What a screen in a browser fetches over a clinic's network before it shows the queue. */
const MOST_BYTES = 250_000

it('fetches less than 250 kB of gzipped JavaScript before the queue stands', async (context) => {
  const { page, settle } = await open(context)
  const sizes = new Map<string, Promise<number>>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.endsWith('.js'))
      sizes.set(
        pathname,
        response.body().then((body) => gzipSync(body).length),
      )
  })
  await page.reload()
  await page.getByRole('table', { name: 'Cases on this station' }).waitFor()
  await settle()
  const total = (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0)
  await context.annotate(`${total} bytes of gzipped JavaScript in ${sizes.size} files`)
  expect(sizes.size).toBeGreaterThan(1)
  expect(total).toBeGreaterThan(50_000)
  expect(total).toBeLessThan(MOST_BYTES)
})
