/** English: what the other screens show, loaded with the first of them. */
export { default as activity } from './activity.json' with { type: 'json' }
export { default as case } from './case.json' with { type: 'json' }
export { default as decision } from './decision.json' with { type: 'json' }
export { default as delivery } from './delivery.json' with { type: 'json' }
export { default as editor } from './editor.json' with { type: 'json' }
export { default as help } from './help.json' with { type: 'json' }
export { default as managed } from './managed.json' with { type: 'json' }
export { default as measure } from './measure.json' with { type: 'json' }
export { default as naming } from './naming.json' with { type: 'json' }
export { default as proof } from './proof.json' with { type: 'json' }
export { default as report } from './report.json' with { type: 'json' }
export { default as settings } from './settings.json' with { type: 'json' }
export { default as setup } from './setup.json' with { type: 'json' }
export { default as submission } from './submission.json' with { type: 'json' }
export { default as viewer } from './viewer.json' with { type: 'json' }
