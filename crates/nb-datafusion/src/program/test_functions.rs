//! Which functions the processes know; in tests also one that takes its time, and none at all.

use std::{sync::Arc, time::Duration};

use datafusion::{
    arrow::datatypes::DataType,
    execution::FunctionRegistry,
    logical_expr::{ColumnarValue, ScalarUDF, Volatility, create_udf},
    scalar::ScalarValue,
};
use nb_datafusion::{Register, ours as our_functions};

/// Registers our functions if wanted, and `nb_test_delay` if wanted.
pub(crate) fn register(delay: bool, ours: bool) -> Register {
    Arc::new(move |registry: &mut dyn FunctionRegistry| {
        if ours {
            our_functions()(registry)?;
        }
        if delay {
            registry.register_udf(Arc::new(nb_test_delay()))?;
        }
        Ok(())
    })
}

/// `nb_test_delay(x, t)` is x, with a delay of t milliseconds for each batch.
pub(crate) fn nb_test_delay() -> ScalarUDF {
    let slowly = |arguments: &[ColumnarValue]| {
        if let Some(ColumnarValue::Scalar(ScalarValue::UInt64(Some(milliseconds)))) = arguments.get(1) {
            std::thread::sleep(Duration::from_millis(*milliseconds));
        }
        Ok(arguments[0].clone())
    };
    let (arguments, answer) = (vec![DataType::Float64, DataType::UInt64], DataType::Float64);
    create_udf("nb_test_delay", arguments, answer, Volatility::Volatile, Arc::new(slowly))
}
