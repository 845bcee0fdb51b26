import { AggregationTemporality, InstrumentType } from '@opentelemetry/sdk-metrics';

/**
 * The SDK repeats the last value of a cumulative gauge without end. A gauge that cannot be read must be absent instead, because
 * alerts ask whether it is absent.
 */
export const temporalityOf = (type: InstrumentType): AggregationTemporality =>
  type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE;
