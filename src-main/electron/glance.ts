/** What the desktop shows outside of its window: the status, and how far each transfer is. Pure. */
import type { StationEvent } from '../../src-shared/contract.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'

type Transfer = { readonly handedOverBytes: number; readonly requestBytes: number }

export type TrayModel = {
  /** Null until the station has told it for the first time. */
  readonly status: StationStatus | null
  /** By the id of the submission that is being sent. */
  readonly transfers: ReadonlyMap<string, Transfer>
}

export const INITIAL_MODEL: TrayModel = { status: null, transfers: new Map() }

/** What is known after an event; the same object where the event says nothing of it. */
export function reduceModel(model: TrayModel, event: StationEvent): TrayModel {
  switch (event.name) {
    case 'stationChanged': {
      const isSending = (event.payload.counts.sending ?? 0) > 0
      return { status: event.payload, transfers: isSending ? model.transfers : new Map() }
    }
    case 'deliveryProgressed': {
      const { id, handedOverBytes, requestBytes } = event.payload
      return { ...model, transfers: new Map(model.transfers).set(id, { handedOverBytes, requestBytes }) }
    }
    case 'submissionChanged': {
      const { id, state } = event.payload
      if (state === 'sending' || !model.transfers.has(id)) return model
      const transfers = new Map(model.transfers)
      transfers.delete(id)
      return { ...model, transfers }
    }
    case 'submissionsChanged': {
      // One that is still on its way is told of again with its next bytes.
      const transfers = new Map(model.transfers)
      for (const id of event.payload.ids) transfers.delete(id)
      return { ...model, transfers }
    }
    case 'callProgressed':
    case 'reportArrived':
    case 'settingsChanged':
      return model
  }
}
