import { channelMatrix, isUnchanged, transferTable, type Adjustments } from './adjustments.ts'

const ID = 'viewer-adjustments'

/** The style that puts the adjustments over a picture; one that changes nothing is no filter at all. */
export function filterOf(adjustments: Adjustments): string {
  return isUnchanged(adjustments) ? 'none' : `url("#${ID}")`
}

/** The adjustments as a filter that the browser lays over what is drawn; there is one viewer, and so one of it. */
export function AdjustmentFilter({ adjustments }: { readonly adjustments: Adjustments }) {
  const table = transferTable(adjustments).join(' ')
  return (
    <svg width="0" height="0" aria-hidden focusable="false" style={{ position: 'absolute' }}>
      {/* Without sRGB a filter counts in linear light, and a gamma of 1 would not be one. */}
      <filter id={ID} x="0" y="0" width="1" height="1" colorInterpolationFilters="sRGB">
        <feColorMatrix type="matrix" values={channelMatrix(adjustments.channel).join(' ')} />
        <feComponentTransfer>
          <feFuncR type="table" tableValues={table} />
          <feFuncG type="table" tableValues={table} />
          <feFuncB type="table" tableValues={table} />
        </feComponentTransfer>
      </filter>
    </svg>
  )
}
