module com.example.orders {
  requires io.lastcall.core;

  opens com.example.orders to
      io.lastcall.core;
}
