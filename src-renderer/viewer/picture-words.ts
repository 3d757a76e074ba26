/** What is said between a page and the thread that holds its decoded picture. */
import type { Size } from './pyramid.ts'

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
