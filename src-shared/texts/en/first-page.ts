/** English: what the first page shows. */
export { default as ageing } from './ageing.json' with { type: 'json' }
export { default as alarm } from './alarm.json' with { type: 'json' }
export { default as call } from './call.json' with { type: 'json' }
export { default as desk } from './desk.json' with { type: 'json' }
export { default as failure } from './failure.json' with { type: 'json' }
export { default as field } from './field.json' with { type: 'json' }
export { default as intake } from './intake.json' with { type: 'json' }
export { default as link } from './link.json' with { type: 'json' }
export { default as newCase } from './newCase.json' with { type: 'json' }
export { default as outbox } from './outbox.json' with { type: 'json' }
export { default as part } from './part.json' with { type: 'json' }
export { default as privacy } from './privacy.json' with { type: 'json' }
export { default as queue } from './queue.json' with { type: 'json' }
export { default as sending } from './sending.json' with { type: 'json' }
export { default as shell } from './shell.json' with { type: 'json' }
export { default as state } from './state.json' with { type: 'json' }
