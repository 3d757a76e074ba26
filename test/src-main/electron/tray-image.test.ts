import { resolve } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { badgeImage, trayImage } from '../../../src-main/electron/tray.ts'
import { icoSizes } from '../../tools/ico-sizes.ts'

const assets = resolve(import.meta.dirname, '../../../assets')
const COUNTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 250]
const STATES = [
  ...(['idle', 'working', 'paused', 'offline'] as const).map((mark) => ({ mark, attention: 0 })),
  ...COUNTS.map((attention) => ({ mark: 'attention' as const, attention })),
].map((state) => ({ ...state, pause: 'possible' as const }))

async function pixelsOf(path: string): Promise<number> {
  const { width, height, hasAlpha } = await sharp(path).metadata()
  expect([path, width, hasAlpha]).toEqual([path, height, true])
  return width
}

describe('the picture beside the clock', () => {
  it.each(STATES)('of $mark with $attention is there for each system in its sizes', async (state) => {
    const pathFor = (platform: NodeJS.Platform): string => resolve(assets, 'tray', trayImage(state, platform))
    expect(await icoSizes(pathFor('win32'))).toEqual([16, 20, 24, 32, 40, 48])
    const plain = pathFor('linux')
    expect(await pixelsOf(plain)).toBe(24)
    expect(await pixelsOf(plain.replace('.png', '@1.5x.png'))).toBe(36)
    expect(await pixelsOf(plain.replace('.png', '@2x.png'))).toBe(48)
    expect(await pixelsOf(plain.replace('.png', '@3x.png'))).toBe(72)
    const template = pathFor('darwin')
    expect(template).toMatch(/Template\.png$/)
    expect(await pixelsOf(template)).toBe(18)
    expect(await pixelsOf(template.replace('.png', '@2x.png'))).toBe(36)
  })

  it('counts to nine', () => {
    const names = [1, 9, 10, 99].map((attention) =>
      trayImage({ mark: 'attention', attention, pause: 'none' }, 'linux'),
    )
    expect(names).toEqual(['attention-1.png', 'attention-9.png', 'attention-many.png', 'attention-many.png'])
  })

  it('shows the count with its own mark only', () => {
    expect(trayImage({ mark: 'paused', attention: 3, pause: 'inForce' }, 'win32')).toBe('paused.ico')
  })
})

describe('the badge on the taskbar', () => {
  it('is there for each count, for a plain and for a dense screen', async () => {
    expect(badgeImage(0, 1)).toBeNull()
    for (const count of COUNTS.filter((one) => one > 0)) {
      expect(await pixelsOf(resolve(assets, 'badge', badgeImage(count, 1) ?? ''))).toBe(16)
      expect(await pixelsOf(resolve(assets, 'badge', badgeImage(count, 1.5) ?? ''))).toBe(32)
    }
  })
})
