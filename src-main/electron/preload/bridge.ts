/** Names shared by the main process and the preload. They are values, so they live with the preload. */

/** Carries the name of a call and its input; answered with a Result. */
export const CALL_CHANNEL = 'fundus-courier:call'
export const EVENT_CHANNEL = 'fundus-courier:event'
/** Carries the screen that the person should see, a `DesktopRoute`. */
export const ROUTE_CHANNEL = 'fundus-courier:place'
/** The base address of bytes, followed by a kind and an id. */
export const BYTES_ADDRESS = 'app://station/bytes/'
