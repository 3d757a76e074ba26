import { TileSource, type ImageJob } from 'openseadragon'
import type { OpenPicture } from './open-picture.ts'
import { levelsOf, TILE_OVERLAP, TILE_SIZE } from './pyramid.ts'

let count = 0

/** The tiles of an open picture, as OpenSeadragon asks for them. */
export function tileSourceOf(picture: OpenPicture): TileSource {
  const levels = levelsOf(picture.size)
  count += 1
  const name = `picture-${count}`
  const source = new TileSource({
    ...picture.size,
    tileSize: TILE_SIZE,
    tileOverlap: TILE_OVERLAP,
    minLevel: levels.min,
    maxLevel: levels.max,
  })
  // Never fetched: it only tells one tile from another.
  source.getTileUrl = (level, column, row) => `${name}/${level}/${column}/${row}`
  source.hasTransparency = () => false
  source.downloadTileStart = (job) => void cutTile(picture, levels.max, job)
  source.downloadTileAbort = () => undefined
  return source
}

async function cutTile(picture: OpenPicture, maxLevel: number, job: ImageJob): Promise<void> {
  const { level, x, y } = job.tile
  const bitmap = await picture.tile(maxLevel - level, x, y)
  const context = document.createElement('canvas').getContext('2d')
  if (!bitmap || !context) {
    job.fail('The picture was closed.', null)
    return
  }
  context.canvas.width = bitmap.width
  context.canvas.height = bitmap.height
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  job.finish(context, null, 'context2d')
}
