/** How a picture is divided into tiles and levels, by OpenSeadragon's rules. Pure. */

export type Size = { readonly width: number; readonly height: number }

type Box = Size & { readonly x: number; readonly y: number }

export const TILE_SIZE = 512

/** Neighbouring tiles share a pixel: otherwise OpenSeadragon stretches each tile, and 1:1 would not be 1:1. */
export const TILE_OVERLAP = 1

/** A level of this size is not halved again. */
const MIN_SIZE = 384

/** The level `max` is the full picture, each one below it half as large. */
export function levelsOf({ width, height }: Size): { readonly min: number; readonly max: number } {
  const max = Math.ceil(Math.log2(Math.max(width, height, 1)))
  const halvings = Math.max(0, Math.ceil(Math.log2(Math.max(width, height) / MIN_SIZE)))
  return { min: Math.max(0, max - halvings), max }
}

export function sizeAt({ width, height }: Size, halvings: number): Size {
  const scale = 1 / 2 ** halvings
  return { width: Math.ceil(width * scale), height: Math.ceil(height * scale) }
}

export function tileBox(level: Size, column: number, row: number): Box {
  const across = span(level.width, column)
  const down = span(level.height, row)
  return { x: across.start, y: down.start, width: across.length, height: down.length }
}

function span(whole: number, index: number): { readonly start: number; readonly length: number } {
  const start = index === 0 ? 0 : TILE_SIZE * index - TILE_OVERLAP
  const length = TILE_SIZE + (index === 0 ? 1 : 2) * TILE_OVERLAP
  return { start, length: Math.min(length, whole - start) }
}

export type PictureRequest =
  | { readonly kind: 'open'; readonly blob: Blob }
  | {
      readonly kind: 'tile'
      readonly number: number
      readonly halvings: number
      readonly column: number
      readonly row: number
    }

export type PictureResponse =
  | { readonly kind: 'opened'; readonly size: Size }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'tile'; readonly number: number; readonly bitmap: ImageBitmap }
